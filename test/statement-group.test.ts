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

describe('StatementGroup', () => {
  it('returns the rows of each statement, also without rows and for repeated statements', async () => {
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

  it('sends statements together, and prepares each once per connection', async () => {
    const group = newGroup()
    const run = () => Promise.all([queryTexts(group, CONNECTION, []), queryTexts(group, CONNECTION, [])])
    const [first, second] = await run()
    // One transaction has one time.
    expect(first).toEqual(second)
    expect((await run())[0]).not.toEqual(first)
    await queryTexts(pool, SERIES, ['alone', 1])
    const { rows } = await pool.query<{ count: string }>(
      "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%generate_series%'",
    )
    expect(rows).toEqual([{ count: '1' }])
  })

  it('rejects all statements if one fails, and works afterwards', async () => {
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

  it('prepares nothing with a pooler, which can use another connection for the next statement', async () => {
    const pooled = openPool({ ...connection, pooler: 'transaction' }, 'data', () => undefined)
    pooled.options.max = 1
    atEnd(() => pooled.end())
    const group = new StatementGroup(pooled, createLimiter(2))
    const run = () => Promise.all([queryTexts(group, SERIES, ['a', 1]), queryTexts(group, QUOTIENT, [5])])
    expect(await run()).toEqual([[['a', '1']], [['2']]])
    expect(await run()).toEqual([[['a', '1']], [['2']]])
    expect((await pooled.query('SELECT name FROM pg_prepared_statements')).rows).toEqual([])
  })

  it('leaves connections for other queries', async () => {
    expect(await queryRows(newGroup(), QUOTIENT, [1])).toHaveLength(1)
  })
})
