/** Lists that are too long for one text are read row by row. A response that is too long is rejected. */
import { expect, it } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import type { Db } from '../../src/db/statement.ts'
import { RESOURCE_FIELDS } from '../../src/records/resource/object.ts'
import type { RowIn } from '../../src/codec/fields.ts'
import { listObjects, listRows, selectFields } from '../../src/codec/select.ts'
import { createQuoteApi, rejection } from '../../test/support/quotes.ts'

const { pool, server, listRaw } = await createQuoteApi()

const MIB = 1024 * 1024

/** Many rows of a company, each with a long text. */
async function plantMany(companyId: string, count: number, length: number): Promise<void> {
  await pool.query(
    `INSERT INTO resources (company_id, id, name, description, status, location_id)
    SELECT $1, 'res_' || i, 'n', repeat('x', $3), 'Active', 'loc' FROM generate_series(1, $2::int) i`,
    [companyId, count, length],
  )
}

type ResourceRow = RowIn<typeof RESOURCE_FIELDS>

const LIST = selectFields(RESOURCE_FIELDS, {
  from: sql`resources t WHERE t.company_id = $1`,
  orderBy: sql`t.id`,
})

it('reads a list over 64 MiB row by row, and a smaller one at once, with the same rows', async () => {
  await plantMany('co_1', 33, 2 * MIB)
  await plantMany('co_2', 31, 2 * MIB)
  let statements = 0
  const counting = {
    query: (...values: unknown[]) => {
      statements++
      return (pool.query as (...all: unknown[]) => unknown).apply(pool, values)
    },
  } as unknown as Db
  for (const [companyId, expected, count] of [
    ['co_1', 2, 33],
    ['co_2', 1, 31],
  ] as const) {
    const listAsObjects = async (...call: Parameters<typeof listRows<ResourceRow>>) =>
      (await listRows(...call)).map((row) => row.toObject())
    for (const read of [listAsObjects, listObjects<ResourceRow>]) {
      statements = 0
      const rows = await read(counting, LIST, [companyId])
      expect({ statements, count: rows.length }).toEqual({ statements: expected, count })
      expect(rows.every(({ description }) => description?.length === 2 * MIB)).toBe(true)
    }
  }
})

it('X11: rejects a page with objects of more than 32 MiB, and sends a smaller page', async () => {
  const { status, body } = await server.get('/api/resources?limit=100', 'key-of-the-first-company')
  expect({ status, body }).toEqual({
    status: 400,
    body: rejection('limit', expect.stringContaining('larger than 32 MiB')),
  })
  const fewer = await server.get('/api/resources?limit=10', 'key-of-the-first-company')
  expect(fewer.status).toBe(200)
  expect((await listRaw()).status).toBe(200)
})
