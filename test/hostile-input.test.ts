import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/http/endpoints.ts'
import { createDatabase } from './support/database.ts'
import { errorOf } from './support/errors.ts'
import { rawRequest } from './support/raw.ts'
import type { Answer } from './support/raw.ts'
import { insertCompany, insertResource, insertStaff } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
const server = await startServer(connection)
await insertCompany(pool, 'co_1', { key: KEY })
await insertResource(pool, 'co_1', 'res_1')
await insertStaff(pool, 'co_1', 'staff_1')

/** Nothing when the answer is as it must be: an expected status, and each error in our shape. */
function problemOf(answer: Answer, method = 'GET'): string | null {
  const { status, text } = answer
  if (!(status >= 200 && status < 500)) return `status ${status}: ${text}`
  if (status < 400) return null
  // What the HTTP parser cannot read it does not know to be HEAD either.
  if (method === 'HEAD' && answer.headers['x-request-id'] !== undefined)
    return text === '' ? null : `a body for HEAD: ${text}`
  return 'text' in errorOf(answer) ? `another shape, ${status}: ${text}` : null
}

const latin1 = (options: { maxLength: number }) =>
  fc.string({
    unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCodePoint(code)),
    ...options,
  })

const HOSTILE_VALUES = [
  '',
  '%00',
  'a%00b',
  '%',
  '%%',
  '%z',
  '%zz',
  '%2',
  '%C3',
  '%C3%28',
  '%FF%FE',
  '%ED%A0%80',
  '%F5%80%80%80',
  '%E2%80%AE',
  '%0D%0Aset-cookie:%20a=b',
  '%F0%9F%98%80'.repeat(300),
  'a'.repeat(10_000),
  '%25'.repeat(5_000),
  '%2F'.repeat(5_000),
  '..%2F..%2Fetc%2Fpasswd',
  "'%20OR%20''='",
  '$1',
  '\\',
  '{}',
  '[]',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  '-1',
  '9'.repeat(400),
  '1e309',
  '<script>',
]

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

describe('R11 and R13 hostile ids and parameters are never an error of ours', () => {
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
    ['host', ''],
    ['host', '[::1'],
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
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE_VALUES.filter((value) => value.length < 500)),
    fc.string({
      unit: fc.constantFrom(...'abz019%/?#&=+[].,;:~!*@$-_"\'<>|^`{}\\'.split('')),
      maxLength: 20,
    }),
    latin1({ maxLength: 10 }),
  )
  const known = fc.constantFrom(
    '/api/resources',
    '/api/resources/',
    '/api/staff/',
    '/api/quotes?',
    '/api/form-response/',
    '/api/',
    '/',
    '/docs',
    '/readyz',
  )
  const target = fc.oneof(
    { weight: 2, arbitrary: known },
    { weight: 4, arbitrary: fc.tuple(known, piece).map(([start, rest]) => start + rest) },
    { weight: 1, arbitrary: piece },
    { weight: 1, arbitrary: piece.map((rest) => `http://host/${rest}`) },
  )
  const parameter = fc
    .tuple(
      fc.constantFrom('limit', 'expand[]', 'expand', 'location_id', 'starting_after', 'limit[]', 'x'),
      piece,
    )
    .map(([name, value]) => `${name}=${value}`)
  const query = fc
    .array(fc.oneof({ weight: 3, arbitrary: parameter }, piece), { maxLength: 4 })
    .map((parts) => parts.join('&'))
  const header = fc
    .tuple(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc.constantFrom(
            'x-api-key',
            'x-request-id',
            'x-forwarded-for',
            'accept',
            'content-type',
            'expect',
            'upgrade',
            'range',
            'cookie',
          ),
        },
        { weight: 1, arbitrary: latin1({ maxLength: 6 }) },
      ),
      fc.oneof(piece, latin1({ maxLength: 40 })),
    )
    .map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, '')}`)
  const method = fc.oneof(
    { weight: 8, arbitrary: fc.constant('GET') },
    { weight: 4, arbitrary: fc.constantFrom('HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'SEARCH') },
    { weight: 1, arbitrary: latin1({ maxLength: 6 }) },
  )

  it('gets an answer below 500, and each error has our shape', { timeout: 60_000 }, async () => {
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(
        method,
        target,
        fc.option(query),
        fc.array(header, { maxLength: 4 }),
        fc.boolean(),
        async (verb, path, parameters, headers, withKey) => {
          const url = parameters === null ? path : `${path}?${parameters}`
          const key = withKey ? [`x-api-key: ${KEY}`] : []
          const answer = await server.raw(rawRequest(`${verb} ${url} HTTP/1.1`, [...key, ...headers]))
          statuses.add(answer.status)
          expect(problemOf(answer, verb)).toBeNull()
        },
      ),
      { numRuns: 500 },
    )
    // It is worth something only when it gets far into the service.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]))
  })

  it('and nothing of it was an error of ours', () => {
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })
})
