/** Webhooks of `quoting serve`: the demo, and a process that is killed during deliveries. */
import { describe, expect, it, vi } from 'vitest'
import { DEMO_KEYS } from '../../src/world/demo/demo-world.ts'
import { freePort } from '../../test/support/command.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { startCommand } from '../../test/support/process.ts'
import { startReceiver, verify } from '../../test/support/webhook-receiver.ts'

const { pool, connection } = await createDatabase()
const [{ key: KEY }] = DEMO_KEYS
const SETTINGS = { DATABASE_URL: connectionUrl(connection), APP_SECRET: 'a secret of thirty-two characters' }

async function startServe(settings: Record<string, string> = {}) {
  const port = await freePort()
  const serving = startCommand(['serve', '--demo'], { ...SETTINGS, PORT: String(port), ...settings })
  await serving.waitFor(/Try it/)
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return { ...serving, port, call }
}

const subscribe = async ({ call }: Awaited<ReturnType<typeof startServe>>, url: string) => {
  const { status, body } = await call('POST', '/webhook-endpoints', { url, types: ['lead.*'] })
  expect([status, body]).toEqual([201, expect.anything()])
  return body as { id: string; secret: string }
}
const addLeads = async ({ call }: Awaited<ReturnType<typeof startServe>>, count: number) => {
  for (let i = 0; i < count; i++) await call('POST', '/leads', { firstName: `Lead ${i}` })
}

describe('quoting serve', () => {
  it('K6, K2: the demo on a loopback address can deliver to this machine', async () => {
    const serving = await startServe()
    const receiver = await startReceiver()
    const { id, secret } = await subscribe(serving, receiver.url)
    await addLeads(serving, 1)
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 20_000)
    const [one] = receiver.received
    expect(one && verify(one, secret)).toMatchObject({ type: 'lead.created' })
    const metrics = await (await fetch(`http://127.0.0.1:${serving.port}/metrics`)).text()
    expect(metrics).toMatch(/webhook_attempts\{result="delivered"\} [01]/)
    expect((await serving.call('DELETE', `/webhook-endpoints/${id}`)).status).toBe(200)
    expect(serving.stderr()).not.toContain(secret)
    serving.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  })

  it('K6: rejects private addresses with WEBHOOK_ALLOW_PRIVATE=false', async () => {
    const serving = await startServe({ WEBHOOK_ALLOW_PRIVATE: 'false' })
    const { status } = await serving.call('POST', '/webhook-endpoints', {
      url: 'http://127.0.0.1:1/',
      types: ['*'],
    })
    expect(status).toBe(400)
    serving.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  })

  it('K4: another process continues after one is killed, in order and without loss', async () => {
    const first = await startServe()
    let isHanging = true
    const receiver = await startReceiver(() => (isHanging ? () => undefined : 200))
    const { id } = await subscribe(first, receiver.url)
    await addLeads(first, 5)
    const [lead] = (await first.call('GET', '/leads?limit=1')).body['data'] as { id: string }[]
    for (let i = 0; i < 3; i++) await first.call('POST', `/leads/${lead?.id}`, { phone: `${i}` })
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), 20_000)
    const lease = async () => {
      const sql = 'SELECT lease_owner AS owner FROM webhook_endpoints WHERE id = $1'
      return (await pool.query<{ owner: string | null }>(sql, [id])).rows[0]?.owner
    }
    const killed = await lease()
    expect(killed).not.toBeNull()
    first.kill('SIGKILL')
    await first.ended
    isHanging = false
    const second = await startServe()
    // The lease is not taken over before it expires.
    expect(await lease()).toBe(killed)
    const before = receiver.received.length
    await pool.query(`UPDATE webhook_endpoints SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      id,
    ])
    const pending = async () =>
      (await second.call('GET', `/webhook-deliveries?endpoint_id=${id}&status=pending`)).body
    await vi.waitFor(async () => expect((await pending())['data']).toEqual([]), 20_000)
    const after = receiver.received.slice(before)
    expect(new Set(after.map(({ id: change }) => change)).size).toBe(8)
    const updates = after.filter(({ subjectId }) => subjectId === lead?.id).map(({ sequence }) => sequence)
    expect(updates).toEqual(updates.toSorted((x, y) => x - y))
    expect(updates).toHaveLength(4)
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })
})
