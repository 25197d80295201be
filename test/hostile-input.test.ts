import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { HOSTILE_VALUES, fuzz } from './support/any-request.ts'
import { createDemoDatabase } from './support/database.ts'
import { hostileProblemOf as problemOf } from './support/errors.ts'
import { rawRequest } from './support/raw.ts'
import { startServer } from './support/server.ts'

const [{ key: KEY }] = DEMO_KEYS
const { connection } = await createDemoDatabase()
const server = await startServer(connection)

const paths = ENDPOINTS.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const)

describe('R11, R13: a hostile id or query string never causes a server error', () => {
  it.each(paths)('in the id: %s %s', async (method, path) => {
    const targets = HOSTILE_VALUES.map((value) => path.replace(/:\w+/, value.replaceAll(' ', '%20')))
    const answers = await Promise.all(
      targets.map((target) => server.call(target, { method, headers: { 'x-api-key': KEY } })),
    )
    expect(answers.map((answer) => problemOf(answer)).filter((problem) => problem !== null)).toEqual([])
  })

  it.each([
    ['one parameter 2,000 times', 'limit=1&'.repeat(2_000)],
    ['many parameters', Array.from({ length: 2_000 }, (_, i) => `p${i}=1`).join('&')],
    ['only separators', '&'.repeat(16_000)],
    ['only equals signs', '='.repeat(16_000)],
    ['only plus signs', '+'.repeat(16_000)],
    ['one long name', 'a'.repeat(16_000)],
    ['deep brackets', `limit${'[a]'.repeat(5_000)}=1`],
    ['open brackets', `expand${'['.repeat(16_000)}`],
    ['many paths', `expand[]=${'a,'.repeat(7_000)}`],
    ['percent signs', '%'.repeat(16_000)],
  ])('in a huge query string: %s', async (_, query) => {
    const answer = await server.get(`/api/resources?${query}`, KEY)
    expect(problemOf(answer)).toBeNull()
    expect([200, 400]).toContain(answer.status)
  })
})

describe('hostile tokens of invoice pages', () => {
  it('open no page', async () => {
    const answers = await Promise.all(
      HOSTILE_VALUES.map((value) => server.call(`/i/${value.replaceAll(' ', '%20')}`)),
    )
    expect(answers.filter(({ status }) => status !== 404)).toEqual([])
  })
})

describe('a hostile header gets 200 or 401, and sets no cookie', () => {
  it.each([
    ['x-api-key', '\x80\xff'],
    ['x-api-key', '%00'],
    ['x-api-key', 'k'.repeat(10_000)],
    ['x-api-key', '"quoted-key-value"'],
    ['x-request-id', '\xff'.repeat(50)],
    ['x-request-id', '%0d%0aset-cookie: a=b'],
    ['x-forwarded-for', ','.repeat(5_000)],
    ['x-forwarded-for', '1.2.3.4,'.repeat(1_000)],
    ['x-forwarded-for', '\xff\xfe'],
    ['content-type', '\xff'],
    ['content-length', '0'],
    ['content-length', '5'],
    ['transfer-encoding', 'chunked'],
    ['accept', 'text/html'],
    ['accept-encoding', 'zstd;q=x'],
    ['range', 'bytes=0-1'],
    ['if-none-match', '*'],
    ['expect', '100-continue'],
    ['expect', 'the unexpected'],
    ['upgrade', 'h2c'],
    ['origin', 'https://evil.example'],
    ['x-http-method-override', 'DELETE'],
    ['cookie', '='.repeat(5_000)],
    ['__proto__', 'x'],
  ])('%s: %s', async (name, value) => {
    const answer = await server.raw(
      rawRequest('GET /api/resources HTTP/1.1', [`x-api-key: ${KEY}`, `${name}: ${value}`]),
    )
    expect(problemOf(answer)).toBeNull()
    expect([200, 401]).toContain(answer.status)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

describe('a hostile method gets 400, 404 or 405', () => {
  it.each([
    'FOO',
    'get',
    'GETT',
    'CONNECT',
    'TRACE',
    'TRACK',
    'PROPFIND',
    'LINK',
    'QUERY',
    'PURGE',
    '',
    'G\0T',
    'A'.repeat(500),
  ])('%j', async (method) => {
    for (const path of ['/api/resources', '/api/resources/x', '/nowhere']) {
      const answer = await server.raw(rawRequest(`${method} ${path} HTTP/1.1`, [`x-api-key: ${KEY}`]))
      expect(problemOf(answer)).toBeNull()
      expect([400, 404, 405]).toContain(answer.status)
    }
  })
})

describe('any request', () => {
  // system/processes/hostile-requests.test.ts sends ten times as many.
  it('gets an answer below 500, in the shape of its endpoint', { timeout: 300_000 }, async () => {
    expect(await fuzz(server.port, KEY, { requests: 200 })).toMatchObject({ problem: null, requests: 200 })
  })

  it('logs no server error', () => {
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })
})
