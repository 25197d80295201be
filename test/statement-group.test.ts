import { describe, expect, it } from 'vitest'
import { StatementGroup, queryTexts } from '../src/codec/text-query.ts'
import { createLimiter } from '../src/core/requests/limiter.ts'
import { openPool } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { queryRows, statement, unpreparedStatement } from '../src/db/statement.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'

const { connection } = await createDatabase()
const pool = openPool(connection, 'data', () => undefined)
pool.options.max = 1
atEnd(() => pool.end())

const SERIES = statement(sql`SELECT $1::text, n::text FROM generate_series(1, $2::integer) n`)
const QUOTIENT = statement(sql`SELECT (10 / $1::integer)::text`)
const CONNECTION = unpreparedStatement(sql`SELECT pg_backend_pid()::text, now()::text`)

const newGroup = () => new StatementGroup(pool, createLimiter(2))

describe('a group of statements', () => {
  it('returns to each its rows, also to those without rows and to the same statement twice', async () => {
    const group = newGroup()
    expect(
      await Promise.all([
        queryTexts(group, SERIES, ['a', 2]),
        queryTexts(group, SERIES, ['b', 0]),
        queryTexts(group, QUOTIENT, [5]),
        queryTexts(group, SERIES, [null, 1]),
      ]),
    ).toEqual([
      [
        ['a', '1'],
        ['a', '2'],
      ],
      [],
      [['2']],
      [[null, '1']],
    ])
  })

  it('is sent at once, and prepares each statement once per connection', async () => {
    const group = newGroup()
    const ask = () => Promise.all([queryTexts(group, CONNECTION, []), queryTexts(group, CONNECTION, [])])
    const [first, second] = await ask()
    // The same transaction, so the same time.
    expect(first).toEqual(second)
    expect((await ask())[0]).not.toEqual(first)
    await queryTexts(pool, SERIES, ['alone', 1])
    const { rows } = await pool.query<{ count: string }>(
      "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%generate_series%'",
    )
    expect(rows).toEqual([{ count: '1' }])
  })

  it('fails as a whole, and its statements work again afterwards', async () => {
    const FRESH = statement(sql`SELECT ($1::integer + 1)::text`)
    const group = newGroup()
    const results = await Promise.allSettled([
      queryTexts(group, FRESH, [1]),
      queryTexts(group, QUOTIENT, [0]),
      queryTexts(group, SERIES, ['c', 1]),
    ])
    expect(results).toEqual(
      Array.from({ length: 3 }, () => ({
        status: 'rejected',
        reason: expect.objectContaining({ message: 'division by zero' }) as unknown,
      })),
    )
    expect(await queryTexts(pool, FRESH, [1])).toEqual([['2']])
    expect(await Promise.all([queryTexts(group, FRESH, [2]), queryTexts(group, QUOTIENT, [2])])).toEqual([
      [['3']],
      [['5']],
    ])
  })

  it('prepares nothing behind a pooler, where the next statement may run on another connection', async () => {
    const pooled = openPool({ ...connection, pooler: 'transaction' }, 'data', () => undefined)
    pooled.options.max = 1
    atEnd(() => pooled.end())
    const group = new StatementGroup(pooled, createLimiter(2))
    const ask = () => Promise.all([queryTexts(group, SERIES, ['a', 1]), queryTexts(group, QUOTIENT, [5])])
    expect(await ask()).toEqual([[['a', '1']], [['2']]])
    expect(await ask()).toEqual([[['a', '1']], [['2']]])
    expect((await pooled.query('SELECT name FROM pg_prepared_statements')).rows).toEqual([])
  })

  it('lets other queries through', async () => {
    expect(await queryRows(newGroup(), QUOTIENT, [1])).toHaveLength(1)
  })
})
