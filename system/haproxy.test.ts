/** Two processes behind a real haproxy with the configuration of docs/haproxy.cfg, with TLS and HTTP/2. */
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:http2'
import type { IncomingHttpHeaders, SecureClientSessionOptions } from 'node:http2'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { haproxyConfiguration } from '../torture/haproxy.ts'
import { atEnd } from '../test/support/at-end.ts'
import { createCertificate } from '../test/support/certificate.ts'
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

const [port, plainPort] = [await freePort(), await freePort()]
const folder = programFolder()
const { ca, bundle } = await createCertificate(folder)
const documented = readFileSync(new URL('../docs/haproxy.cfg', import.meta.url), 'utf8')
writeFileSync(
  join(folder, 'haproxy.cfg'),
  haproxyConfiguration(documented, { secure: port, plain: plainPort, processes: ports }, bundle),
)
const haproxy = startProgram(findProgram('haproxy', 'haproxy'), ['-db', '-f', join(folder, 'haproxy.cfg')], {
  cwd: folder,
  endSignal: 'SIGTERM',
})

/** The results of haproxy's checks from now on. */
function watchChecks() {
  const seenBefore = haproxy.output().length
  const findsProcess = (index: number, state: 'UP' | 'DOWN') =>
    vi.waitFor(
      () =>
        expect(haproxy.output().slice(seenBefore)).toContain(
          `Server quoting/quoting-${index + 1} is ${state}`,
        ),
      { timeout: 10_000 },
    )
  return { findsProcess }
}

interface Seen {
  status: number
  text: string
}

/** A client with a persistent connection. Failures are exceptions. */
function createClient(
  localAddress = '127.0.0.1',
): (path: string, headers?: Record<string, string>) => Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress, ca })
  atEnd(async () => agent.destroy())
  return (path, headers = {}) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, agent, headers: { 'x-api-key': KEY, ...headers } }
      const sent = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end()
    })
}

const ask = createClient()
const serves = async () => {
  const { status } = await ask('/api/resources')
  if (status !== 200) throw new Error(`haproxy does not serve: ${status} ${haproxy.output()}`)
}
await vi.waitFor(serves, { timeout: 10_000 })

/** Several requests on one HTTP/2 connection. */
async function askByHttp2(
  paths: readonly string[],
  headers: Record<string, string> = {},
  localAddress = '127.0.0.1',
) {
  const session = connect(`https://127.0.0.1:${port}`, { ca, localAddress } as SecureClientSessionOptions)
  const answers = paths.map(
    (path) =>
      new Promise<{ headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
        const stream = session.request({ ':path': path, 'x-api-key': KEY, ...headers })
        let received: IncomingHttpHeaders = {}
        let text = ''
        stream.setEncoding('utf8')
        stream.on('response', (sent) => (received = sent))
        stream.on('data', (chunk: string) => (text += chunk))
        stream.on('end', () => resolve({ headers: received, text }))
        stream.on('error', reject)
        stream.end()
      }),
  )
  try {
    return { answers: await Promise.all(answers), protocol: session.alpnProtocol }
  } finally {
    session.close()
  }
}

describe('haproxy as documented', () => {
  it('accepts many HTTP/2 requests on one connection', async () => {
    const { answers, protocol } = await askByHttp2(Array.from({ length: 20 }, () => '/api/resources/res_1'))
    expect(protocol).toBe('h2')
    const { text } = await ask('/api/resources/res_1')
    for (const answer of answers) {
      expect(answer.headers[':status']).toBe(200)
      expect(answer.text).toBe(text)
    }
  })

  it('forwards large requests, accept-encoding and the client address with HTTP/2', async () => {
    const long = { 'x-long': 'x'.repeat(15_000) }
    const { answers } = await askByHttp2([`/api/resources?x=${'x'.repeat(16_000)}`], long)
    expect(answers[0]?.headers[':status']).toBe(200)
    const compressed = await askByHttp2(['/api/openapi.json'], { 'accept-encoding': 'br' })
    expect(compressed.answers[0]?.headers['content-encoding']).toBe('br')
    const key = 'key-of-the-third-company'
    await insertCompany(pool, 'co_3', { key, allowedIps: ['127.0.0.9'] })
    const forged = { 'x-api-key': key, 'x-forwarded-for': '127.0.0.9' }
    for (const [address, status] of [
      ['127.0.0.9', 200],
      ['127.0.0.3', 401],
    ] as const) {
      const { answers: ofAddress } = await askByHttp2(['/api/resources'], forged, address)
      expect(ofAddress[0]?.headers[':status']).toBe(status)
    }
  })

  it('redirects plain HTTP to HTTPS', async () => {
    const location = await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: plainPort, path: '/api/quotes?limit=1' }
      const sent = get({ ...options, headers: { host: 'quotes.example.com' } }, (response) => {
        response.resume()
        resolve([response.statusCode, response.headers.location])
      })
      sent.on('error', reject)
    })
    expect(location).toEqual([308, 'https://quotes.example.com/api/quotes?limit=1'])
  })

  it('forwards requests up to the limits of the service, and blocks the probes', async () => {
    const long = await ask(`/api/resources?x=${'x'.repeat(16_000)}`, { 'x-long': 'x'.repeat(15_000) })
    expect(long.status).toBe(200)
    for (const path of ['/metrics', '/readyz', '/healthz', '/%6detrics', '/%6Detrics?x=1', '/read%79z'])
      expect((await ask(path)).status).toBe(404)
  })

  it('forwards the client address, which is checked against allowed addresses', async () => {
    const headers = { 'x-api-key': 'key-of-the-second-company' }
    await insertCompany(pool, 'co_2', { key: headers['x-api-key'], allowedIps: ['127.0.0.2'] })
    expect((await createClient('127.0.0.2')('/api/resources', headers)).status).toBe(200)
    const forged = { ...headers, 'x-forwarded-for': '127.0.0.2' }
    expect((await createClient('127.0.0.3')('/api/resources', forged)).status).toBe(401)
  })

  it('fails no request during a rolling restart of both processes', async () => {
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
      const checks = watchChecks()
      serving.kill('SIGTERM')
      expect(await serving.ended).toBe(0)
      processes.set(at, await start(at))
      await checks.findsProcess(ports.indexOf(at), 'UP')
    }
    done.abort()
    await Promise.all(clients)
    expect([...seen.keys()]).toEqual(['200'])
    expect(seen.get('200')).toBeGreaterThan(500)
  })

  it('forwards responses of the service while the database is unavailable', async () => {
    const checks = watchChecks()
    await database.refuse()
    await checks.findsProcess(0, 'DOWN')
    await checks.findsProcess(1, 'DOWN')
    const { status, text } = await ask('/api/resources')
    expect([status, text]).toEqual([503, expect.stringContaining('auth_service_unavailable')])
    await database.forward()
  })
})
