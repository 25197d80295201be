/** Protection against server-side request forgery: allowed addresses of webhooks. */
import { describe, expect, it, vi } from 'vitest'
import { isAllowedUrl } from '../src/changes/webhooks/addresses.ts'
import type { Resolve } from '../src/changes/webhooks/addresses.ts'
import { createSender } from '../src/changes/webhooks/send.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startReceiver } from './support/webhook-receiver.ts'
import { addEndpoint, addTask, readDeliveries, startWorker } from './support/webhooks.ts'

const NOT_PUBLIC = 'The host has an address that is not public'
const local = { address: '127.0.0.1', family: 4 }
const PUBLIC = { address: '192.0.9.1', family: 4 }
const MESSAGE = {
  headers: {},
  body: JSON.stringify({ type: 't', data: { sequence: 1, subject: { id: 's' } } }),
}

describe('K6: isAllowedUrl', () => {
  it.each([
    ['a public address', [PUBLIC], true],
    ['a private address', [{ address: '10.1.2.3', family: 4 }], false],
    ['a private address among public ones', [PUBLIC, { address: 'fd00::1', family: 6 }], false],
  ])('K6: allows or rejects a name with %s', async (_, found, isAllowed) => {
    const resolve = async () => found
    expect(await isAllowedUrl('https://example.com/', { allowPrivate: false, resolve })).toBe(isAllowed)
  })

  it('K6: allows a name that does not resolve in time, or not at all', async () => {
    const fails = async () => Promise.reject(new Error('ENOTFOUND'))
    const hangs = () => new Promise<never>(() => undefined)
    expect(await isAllowedUrl('https://example.com/', { allowPrivate: false, resolve: fails })).toBe(true)
    expect(await isAllowedUrl('https://example.com/', { allowPrivate: false, resolve: hangs })).toBe(true)
  })
})

describe('K6: an attempt', () => {
  it.each(['http://127.0.0.1:PORT/', 'http://[::ffff:127.0.0.1]:PORT/', 'http://2130706433:PORT/'])(
    'K6: fails for %s without a connection',
    async (url) => {
      const receiver = await startReceiver()
      const sender = createSender({ allowPrivate: false, timeoutMs: 2_000 })
      const outcome = await sender.send({ ...MESSAGE, url: url.replace('PORT', String(receiver.port)) })
      expect(outcome).toMatchObject({ isDelivered: false, status: null, error: NOT_PUBLIC })
      expect(receiver.received).toEqual([])
      sender.close()
    },
  )

  it('K6: fails if a name resolves to a private address at the time of the attempt', async () => {
    const receiver = await startReceiver()
    const resolve = vi.fn<Resolve>(async () => [local])
    const sender = createSender({ allowPrivate: false, timeoutMs: 2_000, resolve })
    const url = `http://rebinding.example:${receiver.port}/`
    expect(await sender.send({ ...MESSAGE, url })).toMatchObject({ isDelivered: false, error: NOT_PUBLIC })
    expect(receiver.received).toEqual([])
    sender.close()
  })

  it('K6: connects to the address that was checked, without resolving the name again', async () => {
    const receiver = await startReceiver()
    const resolve = vi.fn<Resolve>(async () => [local])
    const sender = createSender({ allowPrivate: true, timeoutMs: 2_000, resolve })
    const url = `http://only-this-test-knows.example:${receiver.port}/`
    expect(await sender.send({ ...MESSAGE, url })).toMatchObject({ isDelivered: true, status: 200 })
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(receiver.received[0]?.headers.host).toBe(`only-this-test-knows.example:${receiver.port}`)
    sender.close()
  })

  it('K6: is recorded and retried like other failures', async () => {
    const { pool } = await createDatabase()
    await insertCompany(pool, 'co_1')
    await plant(pool, 'events', 'co_1', 'ev_1')
    await addEndpoint(pool, 'http://10.0.0.1/')
    await addTask(pool)
    startWorker(pool, { allowPrivate: false })
    await vi.waitFor(async () =>
      expect(await readDeliveries(pool)).toMatchObject([
        { status: 'pending', attempts: [{ status: null, error: NOT_PUBLIC }] },
      ]),
    )
  })

  it.each([
    ['ENOTFOUND', 'The host name does not resolve'],
    ['EAI_AGAIN', 'The host name could not be resolved'],
    ['EWHATEVER', 'The request failed (EWHATEVER)'],
  ])('K6: has a readable error for a resolution that fails with %s', async (code, error) => {
    const resolve = async () => Promise.reject(Object.assign(new Error('details'), { code }))
    const sender = createSender({ allowPrivate: false, timeoutMs: 2_000, resolve })
    expect(await sender.send({ ...MESSAGE, url: 'http://example.com/' })).toMatchObject({ error })
    sender.close()
  })
})

it('is repeated once if the receiver closes an idle connection', async () => {
  const receiver = await startReceiver(({ id }) =>
    id === 'closes' ? (_, response) => void response.destroy() : 200,
  )
  const sender = createSender({ allowPrivate: true, timeoutMs: 2_000 })
  expect(await sender.send({ ...MESSAGE, url: receiver.url })).toMatchObject({ isDelivered: true })
  const closing = { ...MESSAGE, url: receiver.url, headers: { 'webhook-id': 'closes' } }
  expect(await sender.send(closing)).toMatchObject({ isDelivered: false })
  // Once on the idle connection, once on a new one.
  expect(receiver.received.filter(({ id }) => id === 'closes')).toHaveLength(2)
  sender.close()
})
