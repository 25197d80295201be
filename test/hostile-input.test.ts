import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { HOSTILE_VALUES, fuzz } from './support/any-request.ts'
import { createDatabase } from './support/database.ts'
import { errorOf } from './support/errors.ts'
import { rawRequest } from './support/raw.ts'
import type { Answer } from './support/raw.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const [{ key: KEY }] = DEMO_KEYS
const { connection } = await createDatabase()
await fillWithDemo(connection)
const statements = new Set<string>()
const data = watchedPool(connection, 'data', (text) => statements.add(text))
const server = await startServer(connection, { data })

/** Nothing when the answer is as it must be: an expected status, and each error in our shape. */
function problemOf(answer: Answer): string | null {
  const { status, text } = answer
  if (!(status >= 200 && status < 500)) return `status ${status}: ${text}`
  if (status < 400) return null
  return 'text' in errorOf(answer) ? `another shape, ${status}: ${text}` : null
}

/** The shortest of each sort: for every parameter of every endpoint. */
const FOR_PARAMETERS = [
  '',
  '%00',
  '%zz',
  '%FF',
  '%ED%A0%80',
  'a'.repeat(10_000),
  "'",
  '{}',
  '-1',
  '1e309',
  '%20',
  ',',
]

const paths = ENDPOINTS.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const)

describe('R11, R13: hostile ids and parameters never cause a server error', () => {
  it.each(paths)('%s %s: the id', async (method, path) => {
    const targets = HOSTILE_VALUES.map((value) => path.replace(/:\w+/, value.replaceAll(' ', '%20')))
    const answers = await Promise.all(
      targets.map((target) => server.call(target, { method, headers: { 'x-api-key': KEY } })),
    )
    expect(answers.map((answer) => problemOf(answer)).filter((problem) => problem !== null)).toEqual([])
  })

  it.each(paths)('%s %s: every parameter', async (method, path, { query }) => {
    const names = [...Object.keys(query.shape), 'expand[]', 'expand']
    const queries = FOR_PARAMETERS.flatMap((value) => [
      ...names.map((name) => `${name}=${value}`),
      `${value}=1`,
      `limit[${value}]=1`,
      `expand[${value}]=1`,
      `&=${value}&`,
    ])
    const targets = queries.map((sent) => `${path.replace(/:\w+/, 'some-id')}?${sent}`)
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
  ])('huge query strings: %s', async (_, query) => {
    const answer = await server.get(`/api/resources?${query}`, KEY)
    expect(problemOf(answer)).toBeNull()
    expect([200, 400]).toContain(answer.status)
  })
})

describe('hostile tokens of invoice pages', () => {
  it('open nothing', async () => {
    const answers = await Promise.all(
      HOSTILE_VALUES.map((value) => server.call(`/i/${value.replaceAll(' ', '%20')}`)),
    )
    expect(answers.filter(({ status }) => status !== 404)).toEqual([])
  })
})

describe('hostile headers', () => {
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

describe('hostile methods', () => {
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
  it('gets an answer below 500, in the shape of its endpoint', { timeout: 300_000 }, async () => {
    const { problem, requests, statuses } = await fuzz(server.port, KEY, { requests: 2_000 })
    expect(problem).toBeNull()
    expect(requests).toBe(2_000)
    // It is worth something only when it gets far into the service.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 413]))
  })

  it('logs no server error', () => {
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('and nothing that was sent became part of a statement', () => {
    expect(statements.size).toBeGreaterThan(30)
    const texts = [...statements].join('\n')
    for (const sent of [
      'quote_0246',
      'loc_tokyo',
      'lead_0135',
      'DROP',
      '2026-',
      'a'.repeat(100),
      '__proto__',
      '<script>',
    ])
      expect(texts).not.toContain(sent)
  })
})
