/** Random requests, valid or invalid in every part, and checks of the responses. For the tests and the torture tool. */
import * as fc from 'fast-check'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import type { ErrorShape } from '../../src/http/error-bodies.ts'
import { errorShapeOf } from './errors.ts'
import { sendRaw } from './raw.ts'
import type { Answer } from './raw.ts'

interface AnyRequest {
  method: string
  target: string
  headers: string[]
  /** In Latin-1: one character per byte */
  body: string
  framing: 'none' | 'length' | 'chunked' | 'short'
  key: 'none' | 'good' | 'unknown'
}

/** Ids of the demo world, for paths, filters and bodies. Each endpoint finds a record with one of them. */
const IDS =
  `quote_0246 book_0246 event_0246_1 resp_0085_2 res_0011 staff_0001 lead_0135 task_0299_2_1 chg_1 loc_tokyo loc_lisbon
  type_private_dinner`.split(/\s+/)

const TIMES = ['2026-01-01T00:00:00Z', '2027-02-01T00:00:00.5%2B02:00', '0001-01-01T00:00:00Z', '2026-01-01']

/** Sent without further encoding */
export const HOSTILE_VALUES = [
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
  ';%20DROP%20TABLE%20quotes;--',
  '$1',
  '$$',
  '\\',
  '{}',
  '[]',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  '-1',
  '9'.repeat(400),
  '1e309',
  '<script>',
]

const PLAIN: AnyRequest = {
  method: 'GET',
  target: '/',
  headers: [],
  body: '',
  framing: 'none',
  key: 'good',
}

const latin1 = (maxLength: number) =>
  fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCodePoint(code)), maxLength })

/** Mostly characters that are allowed in a URL, so that the HTTP parser accepts the request */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...IDS) },
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
  {
    weight: 4,
    arbitrary: fc.string({
      unit: fc.constantFrom(...'abz019%/?#&=+[].,;:~!*@$-_"\'<>|^`{}\\'.split('')),
      maxLength: 20,
    }),
  },
  { weight: 1, arbitrary: latin1(10) },
)

const OTHER_PATHS = [
  '/',
  '/docs',
  '/docs/',
  '/docs/page.js',
  '/readyz',
  '/healthz',
  '/metrics',
  '/api/openapi.json',
]

function pathOf({ path }: Endpoint): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...IDS).map((id) => path.replace(/:\w+/, id)) },
    { weight: 2, arbitrary: piece.map((id) => path.replace(/:\w+/, () => id)) },
    { weight: 1, arbitrary: piece.map((rest) => `${path}${rest}`) },
  )
}

/** Nearly valid requests, which reach the database */
const nearlyValid: fc.Arbitrary<AnyRequest> = fc
  .constantFrom(...ENDPOINTS.filter((endpoint) => endpoint.method === 'GET'))
  .chain(({ path, query, expand }) => {
    const validValue = (name: string) => {
      if (name === 'limit') return fc.constantFrom('1', '7', '100')
      return fc.constantFrom(
        ...(name.endsWith(']') ? TIMES : [...IDS, 'flat', 'true', 'asc', 'data.imported']),
      )
    }
    const parameter = (name: string) => validValue(name).map((value) => `${name}=${value}`)
    const paths = (expand?.paths ?? []).map((one) => `${expand?.prefix ?? ''}${one}`)
    return fc
      .tuple(
        fc.constantFrom(...IDS),
        fc.subarray(Object.keys(query.shape), { maxLength: Math.min(3, Object.keys(query.shape).length) }),
        fc.subarray(paths, { maxLength: Math.min(20, paths.length) }),
      )
      .chain(([id, names, expanded]) =>
        fc.tuple(...names.map(parameter)).map((parts) => {
          const all = expanded.length === 0 ? parts : [...parts, `expand[]=${expanded.join(',')}`]
          return {
            ...PLAIN,
            target: `${path.replace(/:\w+/, id)}${all.length === 0 ? '' : `?${all.join('&')}`}`,
          }
        }),
      )
  })

function parametersOf({ query, expand }: Endpoint): fc.Arbitrary<string> {
  const names = [...Object.keys(query.shape), 'expand[]', 'expand', 'expand[0]', 'limit', 'limit[]', 'x']
  const paths = (expand?.paths ?? ['location']).map((path) => `${expand?.prefix ?? ''}${path}`)
  const value = fc.oneof(
    piece,
    fc.constantFrom(...TIMES, '1', '100', 'flat'),
    fc.subarray(paths).map((some) => some.join(',')),
  )
  const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: piece })
  return fc
    .array(
      fc.tuple(name, value).map((pair) => pair.join('=')),
      { maxLength: 5 },
    )
    .map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`))
}

const target = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .constantFrom(...ENDPOINTS)
      .chain((endpoint) => fc.tuple(pathOf(endpoint), parametersOf(endpoint)))
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...OTHER_PATHS), piece).map((parts) => parts.join('?')) },
  { weight: 1, arbitrary: piece.map((token) => `/i/${token}`) },
  { weight: 1, arbitrary: piece },
  { weight: 1, arbitrary: piece.map((rest) => `http://host/${rest}`) },
)

const HEADER_NAMES =
  `x-api-key x-request-id x-forwarded-for accept content-type expect upgrade range cookie origin
  idempotency-key if-none-match te trailer authorization accept-language content-encoding forwarded connection`.split(
    /\s+/,
  )

const header = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...HEADER_NAMES) },
      { weight: 1, arbitrary: latin1(6).filter((name) => !/length|encoding/i.test(name)) },
    ),
    fc.oneof(piece, latin1(40), fc.constantFrom('application/json', '100-continue', '127.0.0.1', 'de-DE')),
  )
  .map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, '')}`)

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 4, arbitrary: fc.constant('POST') },
  { weight: 3, arbitrary: fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'SEARCH') },
  { weight: 1, arbitrary: latin1(6) },
)

const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

/** Nearly valid tasks, and arbitrary content */
const body = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .map((description) => bytesOf(JSON.stringify({ eventId: 'event_0246_1', description }))),
  },
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          eventId: fc.oneof(fc.constantFrom(...IDS), fc.string({ unit: 'binary' }), fc.jsonValue()),
          description: fc.oneof(
            fc.string({ unit: 'binary', maxLength: 60 }),
            fc.constant('x'.repeat(10_001)),
          ),
          dueDate: fc.oneof(
            fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-30T00:00:00Z', null),
            fc.jsonValue(),
          ),
          __proto__: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((task) => bytesOf(JSON.stringify(task))),
  },
  { weight: 2, arbitrary: fc.json().map(bytesOf) },
  { weight: 2, arbitrary: latin1(60) },
  { weight: 1, arbitrary: fc.constantFrom('['.repeat(20_000), '{"a":'.repeat(5_000), 'x'.repeat(270_000)) },
)

const TASK: AnyRequest = {
  ...PLAIN,
  method: 'POST',
  target: '/api/task/create',
  headers: ['content-type: application/json'],
}

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constant('good' as const) },
  { weight: 1, arbitrary: fc.constantFrom('none' as const, 'unknown' as const) },
)

const anyRequest: fc.Arbitrary<AnyRequest> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      method,
      target,
      headers: fc.array(header, { maxLength: 4 }),
      body,
      framing: fc.oneof(
        { weight: 3, arbitrary: fc.constant('none' as const) },
        { weight: 2, arbitrary: fc.constantFrom('length' as const, 'chunked' as const, 'short' as const) },
      ),
      key,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ body, framing: fc.constantFrom('length' as const, 'chunked' as const), key })
      .map((parts) => ({ ...TASK, ...parts })),
  },
  { weight: 2, arbitrary: nearlyValid },
)

function bytesOfRequest(request: AnyRequest, goodKey: string): string {
  const { method: verb, target: url, headers, body: content, framing } = request
  const keys = { none: [], good: [`x-api-key: ${goodKey}`], unknown: ['x-api-key: key-that-is-unknown'] }
  const framed = {
    none: [[], ''],
    length: [[`content-length: ${content.length}`], content],
    // The rest of the body must not be processed as another request.
    short: [[`content-length: ${Math.floor(content.length / 2)}`], content],
    chunked: [['transfer-encoding: chunked'], `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`],
  } as const
  const [framingHeaders, sent] = framed[content === '' && framing === 'chunked' ? 'length' : framing]
  const lines = ['host: test', 'connection: close', ...keys[request.key], ...headers, ...framingHeaders]
  return [`${verb} ${url} HTTP/1.1`, ...lines, '', sent].join('\r\n')
}

/** Internals: SQL, stack traces, files and drivers. Specific enough that repeated input does not match by accident. */
const INTERNALS =
  /company_id|node_modules|SELECT .* FROM|syntax error|ECONN|FST_ERR|HPE_|\bat \S+ \(|:\d+:\d+\)/

/** Describes the problem of a response. Null if it is valid. */
function problemOf(request: AnyRequest, answer: Answer, goodKey: string): string | null {
  const { status, headers, text } = answer
  if (!(status >= 200 && status < 500)) return `status ${status}`
  if (headers['x-request-id'] === undefined) return 'no request id'
  // If the HTTP parser rejects a request, the response has no date, and it has a body even for HEAD.
  const isFromParser = headers['date'] === undefined
  const isHead = request.method === 'HEAD' && !isFromParser
  if (headers['x-content-type-options'] !== 'nosniff') return 'no security headers'
  if (headers['set-cookie'] !== undefined) return 'sets a cookie'
  if (text.includes(goodKey) && !request.target.includes(goodKey)) return 'contains the key'
  if (isHead) return text === '' ? null : 'a body for HEAD'
  const length = headers['content-length']
  const missing = length === undefined ? 0 : Number(length) - Buffer.byteLength(text)
  if (missing < 0) return 'more than one response'
  // The server does not read the body of a GET. When it closes the connection, the end of a long response can be lost.
  if (missing > 0 && !(request.method === 'GET' && request.body !== '')) return 'incomplete response'
  if (status < 400) return null
  if (INTERNALS.test(text)) return 'exposes internals'
  if (String(headers['content-type']).startsWith('text/html'))
    return request.target.includes('/i/') ? null : 'HTML page instead of a JSON error'
  const shape = errorShapeOf(answer)
  // R13: errors for a URL or headers that are too long can have any of the shapes.
  if (status === 414 || status === 431) return shape === null ? 'unknown error shape' : null
  const expected = isFromParser ? 'structured' : expectedShape(request.target)
  return shape === expected || (shape !== null && expected === null)
    ? null
    : `error shape ${shape} instead of ${expected}`
}

/** The error shape for a path. Null if the path has special characters, because then every shape is allowed. */
function expectedShape(sent: string): ErrorShape | null {
  const path = sent.replace(/\?.*$/s, '')
  if (!/^(\/[\w-]+)+$/.test(path)) return null
  const endpoint = ENDPOINTS.find((one) =>
    new RegExp(`^${one.path.replace(/:\w+/, String.raw`[\w-]+`)}$`).test(path),
  )
  return endpoint?.errorShape ?? 'structured'
}

export interface FuzzResult {
  requests: number
  statuses: Map<number, number>
  /** The first invalid response with its seed and its shrunk request. Null if all are valid. */
  problem: string | null
}

/** Sends random requests to a server with the demo world. The same seed leads to the same requests. */
export async function fuzz(
  port: number,
  goodKey: string,
  { requests, seed }: { requests: number; seed?: number },
): Promise<FuzzResult> {
  const statuses = new Map<number, number>()
  const property = fc.asyncProperty(anyRequest, async (request) => {
    const answer = await sendRaw(port, bytesOfRequest(request, goodKey))
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    const problem = problemOf(request, answer, goodKey)
    if (problem !== null) throw new Error(`${problem}: ${answer.text.slice(0, 500)}`)
  })
  const details = await fc.check(property, { numRuns: requests, ...(seed === undefined ? {} : { seed }) })
  const [smallest] = details.counterexample ?? []
  const problem = details.failed
    ? `${String(details.errorInstance)} seed ${details.seed} ${JSON.stringify(smallest)}`
    : null
  return { requests: details.numRuns, statuses, problem }
}
