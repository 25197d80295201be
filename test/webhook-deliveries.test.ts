/** GET /webhook-deliveries, /webhook-deliveries/{id}, and retries. */
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { updateWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { contextOf } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { addEndpoint, addTask, createDeliveries } from './support/webhooks.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
await plant(pool, 'events', 'co_1', 'ev_1')
const a = await addEndpoint(pool, 'https://192.0.9.1/a')
const b = await addEndpoint(pool, 'https://192.0.9.1/b')
for (let i = 0; i < 3; i++) await addTask(pool)
/** Deliveries 1 to 6 are of changes 1 to 3, alternating between a and b. */
await createDeliveries(pool)
await pool.query(
  `UPDATE webhook_deliveries SET
     status = CASE WHEN number <= 2 THEN 'delivered' WHEN number = 3 THEN 'failed' ELSE status END,
     next_attempt_at = CASE WHEN number <= 3 THEN NULL WHEN number = 4 THEN '2030-01-01T00:00:00Z' ELSE 'infinity'::timestamptz END,
     attempts = CASE WHEN number = 3 THEN
       '[{"at":"2026-01-01T00:00:00.000Z","status":500,"error":null,"durationMs":12,"response":"private"}]' ELSE attempts END`,
)
const server = await startServer(connection)

const list = async (query = '', key = KEY) => {
  const { status, body, headers, text } = await server.get(`/api/webhook-deliveries${query}`, key)
  expect(status, text).toBe(200)
  const { data, hasMore } = body as { data: { id: string }[]; hasMore: boolean }
  return { ids: data.map(({ id }) => id.slice(4)).join(), hasMore, cursor: headers['x-cursor'] }
}
const retry = (id: string, key = KEY) =>
  server.call(`/api/webhook-deliveries/${id}/retry`, { method: 'POST', headers: { 'x-api-key': key } })
const errorOf = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  ...(body as { error: object }).error,
})

describe('GET /webhook-deliveries', () => {
  it.each([
    ['', '6,5,4,3,2,1'],
    [`?endpoint_id=${a.id}`, '5,3,1'],
    [`?endpoint_id=${b.id}`, '6,4,2'],
    ['?change_id=chg_2', '4,3'],
    ['?status=pending', '6,5,4'],
    ['?status=delivered', '2,1'],
    ['?status=failed', '3'],
    [`?status=pending&endpoint_id=${b.id}`, '6,4'],
    [`?change_id=chg_2&endpoint_id=${a.id}`, '3'],
    [`?change_id=chg_2&endpoint_id=${a.id}&status=pending`, ''],
    ['?endpoint_id=unknown', ''],
    ['?endpoint_id=', ''],
    ['?endpoint_id=%00', ''],
    ['?change_id=chg_99', ''],
    ['?change_id=unknown', ''],
  ])('K5: lists newest first with %j', async (query, ids) => {
    const all = await list(query)
    expect(all).toEqual({ ids, hasMore: false, cursor: undefined })
    // The same in pages of one.
    const paged: string[] = []
    for (const id of ids.split(',').filter(Boolean)) {
      const after = paged.length === 0 ? '' : `&starting_after=whd_${paged.at(-1)}`
      const page = await list(`${query === '' ? '?' : `${query}&`}limit=1${after}`)
      expect(page.ids).toBe(id)
      paged.push(page.ids)
    }
  })

  it.each(['unknown', 'whd_99', '', 'whd_01', '%00'])(
    'K5, R19: returns an empty page after %j',
    async (cursor) => {
      expect(await list(`?starting_after=${cursor}`)).toEqual({
        ids: '',
        hasMore: false,
        cursor: 'not-found',
      })
    },
  )

  it('K5, R19: returns an empty page after a delivery that does not match the filters or belongs to another company', async () => {
    expect((await list('?status=pending&starting_after=whd_2')).cursor).toBe('not-found')
    expect((await list(`?endpoint_id=${a.id}&starting_after=whd_2`)).cursor).toBe('not-found')
    expect((await list('?change_id=chg_1&starting_after=whd_3')).cursor).toBe('not-found')
    expect((await list('?starting_after=whd_2', OTHER_KEY)).cursor).toBe('not-found')
    expect(await list('', OTHER_KEY)).toMatchObject({ ids: '' })
  })

  it.each([
    ['status=gone', 'status'],
    ['status=pending&status=failed', 'status'],
    ['limit=0', 'limit'],
    ['endpoint_id[]=x', 'endpoint_id[]'],
    ['expand[]=data.change', 'expand'],
  ])('K5, R3: rejects %s', async (query, param) => {
    expect(errorOf(await server.get(`/api/webhook-deliveries?${query}`, KEY))).toMatchObject({
      status: 400,
      param,
    })
  })
})

describe('GET /webhook-deliveries/{id}', () => {
  it('K5, O24: returns the delivery with its attempts', async () => {
    const get = async (id: string) => (await server.get(`/api/webhook-deliveries/${id}`, KEY)).body
    expect(await get('whd_3')).toEqual({
      object: 'webhookDelivery',
      id: 'whd_3',
      endpointId: a.id,
      changeId: 'chg_2',
      status: 'failed',
      attempts: [{ at: '2026-01-01T00:00:00.000Z', status: 500, error: null, durationMs: 12 }],
      nextAttemptAt: null,
    })
    expect(await get('whd_4')).toMatchObject({ status: 'pending', nextAttemptAt: '2030-01-01T00:00:00.000Z' })
    expect(await get('whd_5')).toMatchObject({ status: 'pending', attempts: [], nextAttemptAt: null })
  })

  it.each(['whd_99', 'unknown', 'whd_', 'whd_1e3', `whd_${'9'.repeat(40)}`])(
    'W6: responds with 404 to %s',
    async (id) => {
      const expected = {
        status: 404,
        type: 'invalid_request_error',
        code: 'not_found',
        message: 'Webhook delivery not found',
        param: 'id',
      }
      expect(errorOf(await server.get(`/api/webhook-deliveries/${id}`, KEY))).toEqual(expected)
      expect(errorOf(await retry(id))).toEqual(expected)
    },
  )

  it('A11: does not find a delivery of another company', async () => {
    expect((await server.get('/api/webhook-deliveries/whd_1', OTHER_KEY)).status).toBe(404)
    expect((await retry('whd_1', OTHER_KEY)).status).toBe(404)
  })
})

describe('POST /webhook-deliveries/{id}/retry', () => {
  it('K5: wakes the workers without recording a change', async () => {
    const listener = await pool.connect()
    const woken: unknown[] = []
    listener.on('notification', ({ payload }) => woken.push(payload))
    await listener.query('LISTEN changes')
    expect((await retry('whd_4')).status).toBe(200)
    await expect.poll(() => woken).toEqual(['co_1'])
    listener.release(true)
  })

  it.each(['whd_1', 'whd_3', 'whd_4', 'whd_5'])('K5: makes %s due in any status', async (id) => {
    const { status, body } = await retry(id)
    expect(status).toBe(200)
    const { nextAttemptAt, ...rest } = body as { nextAttemptAt: string }
    expect(rest).toMatchObject({ id, status: 'pending' })
    expect(Math.abs(Date.parse(nextAttemptAt) - Date.now())).toBeLessThan(60_000)
  })

  it('K5: writes endpoint and key to the audit log', async () => {
    const read = async () => {
      const { rows } = await pool.query<{ details: { deliveryId: string } }>(
        `SELECT actor_type, actor_name, subject_object, subject_id, subject_name, details FROM audit_entries
         WHERE company_id = 'co_1' AND type = 'webhook_endpoint.delivery_retried' ORDER BY created_at DESC, id DESC`,
      )
      return rows
    }
    const before = await read()
    expect((await retry('whd_3')).status).toBe(200)
    expect((await retry('whd_99')).status).toBe(404)
    const [entry, ...others] = await read()
    expect(others).toEqual(before)
    expect(entry).toMatchObject({
      actor_type: 'apiKey',
      subject_object: 'webhookEndpoint',
      subject_id: a.id,
      subject_name: 'https://192.0.9.1/a',
      details: { deliveryId: 'whd_3' },
    })
  })

  it('K5: is rejected while the endpoint is disabled', async () => {
    await runAction(contextOf(pool), updateWebhookEndpoint, { id: b.id, status: 'disabled' })
    expect(errorOf(await retry('whd_2'))).toEqual({
      status: 409,
      type: 'conflict_error',
      code: 'endpoint_disabled',
      message: 'The webhook endpoint is disabled. Enable it first.',
    })
  })
})
