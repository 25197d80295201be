/** A stop fails no request (`npm run torture` tests this under load and behind a proxy). */
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { waitUntilBlocked } from '../../test/support/blocked.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { freePort } from '../../test/support/command.ts'
import { startCommand } from '../../test/support/process.ts'
import { insertCompany } from '../../test/support/records.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })

async function start() {
  const port = await freePort()
  const serving = startCommand(['serve'], {
    DATABASE_URL: connectionUrl(connection),
    APP_SECRET: 'a secret of thirty-two characters',
    PORT: String(port),
    LOG_LEVEL: 'warn',
  })
  await serving.waitFor(/API at (\S+)\/api/)
  return { port, serving }
}

interface Seen {
  status: number
  headers: IncomingHttpHeaders
}

/** A client with one persistent connection. Failures are exceptions. */
function createClient(port: number): (path?: string) => Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(async () => agent.destroy())
  return (path = '/api/resources') =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': KEY }
      const asked = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
      })
      asked.on('error', reject)
      asked.end()
    })
}

/** All bytes that are received until the connection ends. */
async function readUntilEnd(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let answers = ''
  for await (const chunk of socket) answers += String(chunk)
  return answers
}

const refused = { code: 'ECONNREFUSED' }

/** Waits until no new connection is accepted. */
async function expectRefused(port: number): Promise<void> {
  const another = createClient(port)
  await expect
    .poll(() => another('/healthz').catch((error: NodeJS.ErrnoException) => error.code), { interval: 5 })
    .toBe(refused.code)
}

/** A lock delays the response until the stop has begun. */
async function stopWhileAtWork<Answer>(
  { port, serving }: { port: number; serving: { kill: (signal: 'SIGTERM') => void } },
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect()
  await client.query('BEGIN; LOCK TABLE resources IN ACCESS EXCLUSIVE MODE')
  const answer = ask()
  await waitUntilBlocked(pool)
  serving.kill('SIGTERM')
  await expectRefused(port)
  await client.query('ROLLBACK')
  client.release()
  return answer
}

describe('SIGTERM', () => {
  it('responds to requests on open connections, with connection: close', async () => {
    const { port, serving } = await start()
    const clients = Array.from({ length: 5 }, () => createClient(port))
    for (const ask of clients) expect((await ask()).headers.connection).toBe('keep-alive')
    serving.kill('SIGTERM')
    // New connections are rejected, so that a proxy uses another process.
    await expectRefused(port)
    for (const ask of clients) {
      const { status, headers } = await ask()
      expect([status, headers.connection]).toEqual([200, 'close'])
      await expect(ask()).rejects.toMatchObject(refused)
    }
    expect(await serving.ended).toBe(0)
  })

  it('sends connection: close to a request in progress', async () => {
    const { port, serving } = await start()
    const ask = createClient(port)
    await ask()
    const { status, headers } = await stopWhileAtWork({ port, serving }, ask)
    expect([status, headers.connection]).toEqual([200, 'close'])
    expect(await serving.ended).toBe(0)
  })

  it('responds to all pipelined requests, with connection: close in the last response', async () => {
    const { port, serving } = await start()
    const asked = `GET /api/resources HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\n\r\n`
    const answers = await stopWhileAtWork({ port, serving }, () => readUntilEnd(port, asked.repeat(3)))
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(3)
    expect(answers.match(/^connection: .*$/gim)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'connection: close',
    ])
    expect(await serving.ended).toBe(0)
  })

  it('responds to readiness checks with 503, and serves for two more seconds', async () => {
    const { port, serving } = await start()
    expect((await createClient(port)('/readyz')).status).toBe(200)
    serving.kill('SIGTERM')
    await expect.poll(async () => (await createClient(port)('/readyz')).status, { interval: 10 }).toBe(503)
    for (let served = 0; served < 6; served++) {
      const { status, headers } = await createClient(port)()
      expect([status, headers.connection]).toEqual([200, 'keep-alive'])
    }
    expect(await serving.ended).toBe(0)
  })
})
