/** POST /webhook-endpoints/{id}/replay with many changes: in batches, independent of other endpoints. */
import { expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { replayChanges, updateWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { addNextDeliveries } from '../src/records/webhook-delivery/create.ts'
import { contextOf } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { addEndpoint, addTask, createDeliveries, readDeliveries } from './support/webhooks.ts'

const { pool } = await createDatabase()
/** More than two batches. */
const CHANGES = 9_000
const BATCH = 4_000
let companies = 0

/** A company with an endpoint and older changes. The first one was recorded an hour before the others. */
async function plantCompany(): Promise<{ company: string; id: string }> {
  const company = `co_${++companies}`
  await insertCompany(pool, company)
  await plant(pool, 'events', company, 'ev_1')
  await addTask(pool, company)
  await pool.query(
    `INSERT INTO changes SELECT company_id, n, type, subject_object, 'task_' || n, actor_type, actor_id, actor_name, data, previous,
       created_at + interval '1 hour'
     FROM changes, generate_series(2, $2::integer) n WHERE company_id = $1`,
    [company, CHANGES],
  )
  await pool.query('UPDATE change_counters SET last_sequence = $2 WHERE company_id = $1', [company, CHANGES])
  return { company, id: (await addEndpoint(pool, 'https://192.0.9.1/', { companyId: company })).id }
}

const BEFORE_ALL = '2020-01-01T00:00:00Z'
const inHalfAnHour = () => new Date(Date.now() + 1_800_000).toISOString()
const replay = (company: string, id: string, since = BEFORE_ALL) =>
  runAction(contextOf(pool, company), replayChanges, { id, since })
const countDeliveries = async (company: string) =>
  (await pool.query('SELECT FROM webhook_deliveries WHERE company_id = $1', [company])).rowCount
const changesOf = async (company: string, id: string) =>
  (await readDeliveries(pool, company)).filter(({ endpoint }) => endpoint === id).map(({ change }) => change)
const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

it('K5: creates deliveries in batches after the request', async () => {
  const { company, id } = await plantCompany()
  await replay(company, id)
  expect(await countDeliveries(company)).toBe(0)
  expect(await addNextDeliveries(pool, company)).toBe(true)
  expect(await countDeliveries(company)).toBe(BATCH)
  expect(await changesOf(company, id)).toEqual(span(1, CHANGES))
  expect(await addNextDeliveries(pool, company)).toBe(false)
})

it('K4: changes during a replay follow it, and reach other endpoints immediately', async () => {
  const { company, id } = await plantCompany()
  const other = await addEndpoint(pool, 'https://192.0.9.1/', { companyId: company })
  await replay(company, id)
  await addTask(pool, company)
  await addNextDeliveries(pool, company)
  const { rows } = await pool.query(
    'SELECT number::integer FROM webhook_deliveries WHERE company_id = $1 AND endpoint_id = $2',
    [company, other.id],
  )
  expect(rows).toEqual([{ number: 1 }])
  expect(await changesOf(company, id)).toEqual(span(1, CHANGES + 1))
  expect(await changesOf(company, other.id)).toEqual([CHANGES + 1])
})

it('K5: begins with the first change since the time', async () => {
  const { company, id } = await plantCompany()
  await replay(company, id, inHalfAnHour())
  expect(await changesOf(company, id)).toEqual(span(2, CHANGES))
  await replay(company, id, '2100-01-01T00:00:00Z')
  expect(await changesOf(company, id)).toEqual(span(2, CHANGES))
})

it('K5: restarts if a second replay begins earlier, and continues if it begins later', async () => {
  const { company, id } = await plantCompany()
  await replay(company, id)
  await replay(company, id, inHalfAnHour())
  await addNextDeliveries(pool, company)
  await replay(company, id)
  expect(await changesOf(company, id)).toEqual([...span(1, BATCH), ...span(1, CHANGES)])
})

it('K1: ends when the endpoint is disabled, also if it is enabled again', async () => {
  const { company, id } = await plantCompany()
  await replay(company, id)
  await addNextDeliveries(pool, company)
  for (const status of ['disabled', 'enabled'] as const)
    await runAction(contextOf(pool, company), updateWebhookEndpoint, { id, status })
  expect(await changesOf(company, id)).toEqual(span(1, BATCH))
})

it('stops if an import disables the endpoint', async () => {
  const { company, id } = await plantCompany()
  await replay(company, id)
  await pool.query(`UPDATE webhook_endpoints SET status = 'disabled' WHERE company_id = $1`, [company])
  await createDeliveries(pool)
  expect(await countDeliveries(company)).toBe(0)
})
