/** The calls of the console for webhook endpoints and deliveries. */
import { describe, expect, it, vi } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import type { ActivityAnswer } from '../src/console/activity.ts'
import type { DeliveriesAnswer, DeliveryAnswer } from '../src/console/webhook-deliveries.ts'
import type { TestEventAnswer, WebhookSecretAnswer, WebhooksAnswer } from '../src/console/webhooks.ts'
import { contextOf } from './support/actions.ts'
import { signedIn } from './support/console.ts'
import type { SignedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { startReceiver, verify } from './support/webhook-receiver.ts'
import { startWorker } from './support/webhooks.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection, { webhookAllowPrivate: true })
startWorker(pool)

let companies = 0
async function newCompany(): Promise<{ id: string; admin: SignedIn }> {
  const id = `c${++companies}`
  await insertCompany(pool, id)
  await plant(pool, 'events', id, 'ev_1')
  return { id, admin: await signedIn(server, database, id) }
}

async function create({ call }: SignedIn, url: string, types = ['task.*']): Promise<WebhookSecretAnswer> {
  const { status, text, body } = await call('POST', 'webhooks', { url, types, description: 'Mirror' })
  expect(status, text).toBe(200)
  return body as WebhookSecretAnswer
}

describe('webhook endpoints in the console', () => {
  it('are created with a secret that is shown once', async () => {
    const { admin } = await newCompany()
    const { endpoint, secret } = await create(admin, 'https://example.com/hooks')
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { text, body } = await admin.call('GET', 'webhooks')
    expect((body as WebhooksAnswer).endpoints).toEqual([endpoint])
    expect(text).not.toContain(secret)
    const rotated = await admin.call('POST', `webhooks/${endpoint.id}/rotate`, { overlapHours: 24 })
    expect((rotated.body as WebhookSecretAnswer).secret).toMatch(/^whsec_/)
    expect((rotated.body as WebhookSecretAnswer).secret).not.toBe(secret)
  })

  it('can be changed, disabled and deleted, which the audit log records', async () => {
    const { admin } = await newCompany()
    const { endpoint, secret } = await create(admin, 'https://example.com/hooks')
    const path = `webhooks/${endpoint.id}`
    const changed = await admin.call('PATCH', path, { types: ['quote.*'], status: 'disabled' })
    expect(changed.body).toMatchObject({ types: ['quote.*'], status: 'disabled' })
    expect((await admin.call('DELETE', path)).status).toBe(204)
    expect((await admin.call('DELETE', path)).status).toBe(404)
    const { text, body } = await admin.call('GET', 'activity?kind=webhooks')
    expect((body as ActivityAnswer).entries.map(({ type }) => type)).toEqual([
      'webhook_endpoint.deleted',
      'webhook_endpoint.updated',
      'webhook_endpoint.created',
    ])
    expect(text).not.toContain(secret)
  })

  it.each([
    [{ url: 'ftp://example.com', types: ['*'] }, 'url'],
    [{ url: 'https://example.com', types: [] }, 'types'],
    [{ url: 'https://example.com', types: ['nothing'] }, 'types.0'],
    [{ url: 'https://example.com', types: ['quote.*', 'quote.*'] }, 'types'],
    [{ url: 'https://example.com', types: ['*'], description: 'x'.repeat(10_001) }, 'description'],
  ])('are rejected: %j', async (body, field) => {
    const { admin } = await newCompany()
    const answer = await admin.call('POST', 'webhooks', body)
    expect(answer.status).toBe(400)
    expect((answer.body as { error: { details: object } }).error.details).toHaveProperty([field])
  })

  it('can have descriptions as long as in the API', async () => {
    const { admin } = await newCompany()
    const description = '😀'.repeat(10_000)
    const { body } = await admin.call('POST', 'webhooks', {
      url: 'https://192.0.9.1/',
      types: ['*'],
      description,
    })
    expect(body).toMatchObject({ endpoint: { description } })
  })

  it('cannot have private addresses', async () => {
    const strict = await startServer(connection)
    const { id } = await newCompany()
    const admin = await signedIn(strict, database, id)
    const answer = await admin.call('POST', 'webhooks', { url: 'http://169.254.169.254/', types: ['*'] })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('The URL must have a public address.')
  })
})

describe('the test event', () => {
  it('is signed, and its result is returned but not stored', async () => {
    const receiver = await startReceiver()
    const { admin } = await newCompany()
    const { endpoint, secret } = await create(admin, receiver.url)
    const { body } = await admin.call('POST', `webhooks/${endpoint.id}/test`)
    expect(body as TestEventAnswer).toMatchObject({ status: 200, isDelivered: true, error: null })
    const [request] = receiver.received
    if (request === undefined) throw new Error('nothing was received')
    expect(verify(request, secret)).toEqual({
      type: 'test',
      timestamp: expect.any(String),
      data: { object: 'test', endpointId: endpoint.id },
    })
    const deliveries = await admin.call('GET', `webhook-deliveries?endpoint=${endpoint.id}`)
    expect((deliveries.body as DeliveriesAnswer).deliveries).toEqual([])
  })

  it('returns the reason of a failure', async () => {
    const { admin } = await newCompany()
    const { endpoint } = await create(admin, 'http://127.0.0.1:1/')
    const { body } = await admin.call('POST', `webhooks/${endpoint.id}/test`)
    expect(body).toMatchObject({ status: null, isDelivered: false, error: 'The connection was refused' })
  })
})

describe('deliveries in the console', () => {
  it('are listed with request and response, and can be sent again', async () => {
    const receiver = await startReceiver()
    const { id, admin } = await newCompany()
    const { endpoint } = await create(admin, receiver.url)
    await runAction(contextOf(pool, id), createTask, { eventId: 'ev_1', description: 'Sweep', dueDate: null })
    const list = async (query = '') =>
      (await admin.call('GET', `webhook-deliveries?endpoint=${endpoint.id}${query}`)).body as DeliveriesAnswer
    await vi.waitFor(async () => expect((await list('&status=delivered')).deliveries).toHaveLength(1), 20_000)
    const [delivery] = (await list()).deliveries
    expect(delivery).toMatchObject({ type: 'task.created', changeId: 'chg_1', subject: { object: 'task' } })
    const shown = (await admin.call('GET', `webhook-deliveries/${delivery?.id}`)).body as DeliveryAnswer
    expect(shown.requestBody).toBe(receiver.received[0]?.text)
    expect(shown.delivery.attempts).toMatchObject([{ status: 200, error: null }])
    expect((await admin.call('POST', `webhook-deliveries/${delivery?.id}/retry`, {})).status).toBe(204)
    const activity = (await admin.call('GET', 'activity?kind=webhooks')).body as ActivityAnswer
    expect(activity.entries[0]).toMatchObject({
      type: 'webhook_endpoint.delivery_retried',
      actor: { type: 'user', name: 'The ADMIN' },
      subject: { id: endpoint.id },
    })
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 20_000)
    const since = '2026-01-01T00:00:00Z'
    expect((await admin.call('POST', `webhooks/${endpoint.id}/replay`, { since })).status).toBe(204)
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3), 20_000)
    expect((await list()).deliveries).toHaveLength(2)
  })
})
