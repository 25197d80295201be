/** Two processes behind a real haproxy with the configuration of docs/haproxy.cfg. */
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { haproxyConfiguration } from '../torture/haproxy.ts'
import { atEnd } from '../test/support/at-end.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { createDatabase } from '../test/support/database.ts'
import { startProxy } from '../test/support/database-proxy.ts'
import { freePort } from '../test/support/command.ts'
import { startCommand } from '../test/support/process.ts'
import { findProgram, programFolder, startProgram } from '../test/support/programs.ts'
import { insertCompany, insertResource } from '../test/support/records.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertResource(pool, 'co_1', 'res_1')
const database = await startProxy(connection)

const ports = [await freePort(), await freePort()] as const
const start = async (port: number) => {
  const serving = startCommand(['serve'], {
    DATABASE_URL: connectionUrl(database.connection),
    APP_SECRET: 'a secret of thirty-two characters',
    TRUST_PROXY: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
  })
  await serving.waitFor(/API at/)
  return serving
}
const processes = new Map(await Promise.all(ports.map(async (port) => [port, await start(port)] as const)))

const port = await freePort()
const folder = programFolder()
const documented = readFileSync(new URL('../docs/haproxy.cfg', import.meta.url), 'utf8')
writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfiguration(documented, port, ports))
const haproxy = startProgram(findProgram('haproxy', 'haproxy'), ['-db', '-f', join(folder, 'haproxy.cfg')], {
  cwd: folder,
  endSignal: 'SIGTERM',
})

interface Seen {
  status: number
  text: string
}

/** A client that keeps its connection; what fails is an error. */
function createClient(
  localAddress = '127.0.0.1',
): (path: string, headers?: Record<string, string>) => Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress })
  atEnd(async () => agent.destroy())
  return (path, headers = {}) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, agent, headers: { 'x-api-key': KEY, ...headers } }
      const asked = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      asked.on('error', reject)
      asked.end()
    })
}

const ask = createClient()
const serves = async () => {
  const { status } = await ask('/api/resources')
  if (status !== 200) throw new Error(`haproxy does not serve: ${status} ${haproxy.output()}`)
}
await vi.waitFor(serves, { timeout: 10_000 })

describe('haproxy as documented', () => {
  it('lets pass what the service takes, and keeps the probes to itself', async () => {
    const long = await ask(`/api/resources?x=${'x'.repeat(16_000)}`, { 'x-long': 'x'.repeat(15_000) })
    expect(long.status).toBe(200)
    for (const path of ['/metrics', '/readyz', '/healthz', '/%6detrics', '/%6Detrics?x=1', '/read%79z'])
      expect((await ask(path)).status).toBe(404)
  })

  it('tells the caller’s address, against which a company’s allowed ones are held', async () => {
    const headers = { 'x-api-key': 'key-of-the-second-company' }
    await insertCompany(pool, 'co_2', { key: headers['x-api-key'], allowedIps: ['127.0.0.2'] })
    expect((await createClient('127.0.0.2')('/api/resources', headers)).status).toBe(200)
    const forged = { ...headers, 'x-forwarded-for': '127.0.0.2' }
    expect((await createClient('127.0.0.3')('/api/resources', forged)).status).toBe(401)
  })

  it('fails no request while both processes are restarted, one after the other', async () => {
    const seen = new Map<string, number>()
    const done = new AbortController()
    const clients = Array.from({ length: 8 }, async () => {
      const send = createClient()
      while (!done.signal.aborted) {
        const outcome = await send('/api/resources').then(
          ({ status }) => String(status),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        )
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
        await sleep(2)
      }
    })
    for (const [at, serving] of processes) {
      serving.kill('SIGTERM')
      expect(await serving.ended).toBe(0)
      processes.set(at, await start(at))
      await sleep(1_000)
    }
    done.abort()
    await Promise.all(clients)
    expect([...seen.keys()]).toEqual(['200'])
    expect(seen.get('200')).toBeGreaterThan(500)
  })

  it('lets the service answer itself while the database is away', async () => {
    await database.refuse()
    await sleep(1_500)
    const { status, text } = await ask('/api/resources')
    expect([status, text]).toEqual([503, expect.stringContaining('auth_service_unavailable')])
    await database.forward()
  })
})
