import { readFileSync, readdirSync } from 'node:fs'
import type { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { selectFields } from '../codec/select.ts'
import { STAFF_FIELDS } from '../records/staff/object.ts'
import { identifier, identifiers, join, literal, sql, trustedSql } from './sql.ts'
import { queryRows, run, statement, unpreparedStatement } from './statement.ts'
import type { Db, DbPool } from './statement.ts'

describe('a fragment', () => {
  it('inlines fragments and converts all other values to parameters', () => {
    const byLead = sql`lead_id = ${`' OR true --`}`
    expect(sql`SELECT ${sql`id`} FROM quotes WHERE ${byLead} AND ${sql`n = ${5}`}`.render(1)).toEqual({
      text: 'SELECT id FROM quotes WHERE lead_id = $1 AND n = $2',
      values: [`' OR true --`, 5],
    })
  })

  it('has one position for a parameter of a repeated fragment', () => {
    const time = sql`${'2026-01-01'}::timestamptz`
    expect(sql`a >= ${time} AND b = ${1} AND c >= ${time}`.render(2)).toEqual({
      text: 'a >= $2::timestamptz AND b = $3 AND c >= $2::timestamptz',
      values: ['2026-01-01', 1],
    })
  })

  it('quotes identifiers and literals', () => {
    const { text } = sql`${identifiers(['a', 'b" --'])} ${literal(`it's`)} ${literal(11)}`.render(1)
    expect(text).toBe(`"a", "b"" --" 'it''s' 11`)
    expect(() => literal(0.5)).toThrow('not an integer')
    expect(join([sql`a`, sql`b`], sql` OR `).render(1).text).toBe('a OR b')
  })
})

describe('a statement', () => {
  it('has a name that depends on its text only', () => {
    const byId = (id: string) => statement(sql`SELECT FROM quotes WHERE company_id = $1 AND id = ${id}`)
    expect(byId('a').name).toBe(byId('b').name)
    expect(byId('a')).toMatchObject({ text: expect.stringContaining('id = $2') as string, values: ['a'] })
    expect(statement(sql`SELECT 1`).name).not.toBe(statement(sql`SELECT 2`).name)
    expect(unpreparedStatement(sql`SELECT 1`).name).toBeUndefined()
  })

  it('cannot have parameters and positions after the company', () => {
    expect(() => statement(sql`SELECT FROM quotes WHERE id = $2 AND n = ${1}`)).toThrow(
      'positions and parameters in one statement',
    )
  })
})

/** Never called: `npm run types` fails if one of these lines compiles. */
export function injections(db: Db, pool: DbPool, pgPool: Pool, input: string) {
  // @ts-expect-error: a text is not SQL
  void db.query(input)
  // @ts-expect-error: not even a constant one
  void pool.query('SELECT 1')
  // @ts-expect-error: only statement.ts creates query objects
  void db.query({ text: input })
  // @ts-expect-error: also for a client of the pool
  void pool.connect().then((client) => client.query(input))
  // @ts-expect-error: a statement takes SQL
  statement(`SELECT ${input}`)
  // @ts-expect-error: the same
  unpreparedStatement(input)
  // @ts-expect-error: an object with the same members is not a statement
  void queryRows(db, { name: undefined, text: input, values: [] }, [])
  // @ts-expect-error: a text is not SQL
  void run(db, input)
  // @ts-expect-error: the tag takes a template only
  sql(input)
  // @ts-expect-error: `undefined` is not a value
  void sql`${undefined}`
  // @ts-expect-error: a text is not SQL
  selectFields(STAFF_FIELDS, { from: sql`staff t`, orderBy: input })
  return [pgPool satisfies DbPool, identifier(input)]
}

describe('functions without this check', () => {
  const filesWith = (pattern: RegExp) =>
    readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.ts$/.test(name) && pattern.test(readFileSync(`src/${name}`, 'utf8')))
      .toSorted()

  it('are used in few places', () => {
    expect(trustedSql('SELECT 1').render(1).text).toBe('SELECT 1')
    // The texts of migrations.
    expect(filesWith(/\btrustedSql\b/)).toEqual(['db/migrate.ts', 'db/rehearsal.ts', 'db/sql.ts'])
    const driver = /\b(?:Pool|Client|ClientBase|PoolClient)\b[^}]*\} from 'pg'|\bwithClient\b/
    expect(filesWith(driver).filter((name) => !name.startsWith('db/'))).toEqual([
      'http/metrics.ts',
      'server/build-server.ts',
    ])
  })
})
