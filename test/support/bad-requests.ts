/** Requests with one error each, and the expected response. For the tests and the torture tool. */
import { BODY_TOO_LARGE, DENIED, UNKNOWN_ID, UNKNOWN_PATH, UNREADABLE, WRONG_METHOD } from './errors.ts'
import { errorOf, inShape, invalidParameter } from './errors.ts'
import { rawRequest } from './raw.ts'
import type { Answer } from './raw.ts'

export interface BadRequest {
  what: string
  bytes: string
  /** In the format of `badRequestError` */
  expected: object
}

/** The error of a response. Keeps only the names in `details`. */
export function badRequestError(answer: Answer): object {
  const error = errorOf(answer)
  return 'details' in error ? { ...error, details: Object.keys(error.details as object).toSorted() } : error
}

const TASK = '/api/task/create'
const EVENT = 'event_0246_1'

const URL_TOO_LONG = { status: 414, type: 'invalid_request_error', code: 'url_too_long' }
const HEADERS_TOO_LARGE = { status: 431, type: 'invalid_request_error', code: 'headers_too_large' }

/** The key must belong to a company with API access and with the records of the demo world in these paths. */
export function badRequests(key: string): BadRequest[] {
  const own = [`x-api-key: ${key}`]
  const get = (path: string, expected: object): BadRequest => ({
    what: `GET ${path.length > 100 ? `${path.slice(0, 100)}…` : path}`,
    bytes: rawRequest(`GET ${path} HTTP/1.1`, own),
    expected,
  })
  return [
    ...badParameters().map(([path, param]) => get(path, invalidParameter(param))),
    ...unknownPlaces().map(([path, expected]) => get(path, expected)),
    ...badBodies().map(([what, body, details]) => taskWith(what, body, details, own)),
    ...badTaskHeaders(own),
    ...wrongMethods(own),
    ...denials(),
    ...oversized(own),
    ...unreadable(own),
  ]
}

function badParameters(): [path: string, param: string][] {
  const limits = [
    '',
    '0',
    '-1',
    '101',
    '1.0',
    '1e1',
    '0x10',
    '+5',
    '%205',
    '٣',
    'all',
    '9'.repeat(30),
    '1%00',
    '%zz',
    '%FF',
  ]
  const times = [
    '',
    'now',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
  ]
  times.push(
    '2026-01-01T00:00:60Z',
    '2026-01-01t00:00:00z',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+01:00',
  )
  times.push(
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '1767225600',
    '2026-01-01T00:00:00.1234567890Z',
    '%00',
  )
  const ranges = ['created_at', 'updated_at', 'service_start_time']
  const paths = [
    '',
    'nothing',
    'data.nothing',
    'lead',
    'data.lineItems',
    'data.serviceDays.lineItems',
    'data.discount',
  ]
  paths.push(
    'data.booking.invoices.lineItems',
    'data.serviceCharges.serviceCharge',
    'data.',
    'data.lead.',
    'data..lead',
  )
  paths.push(
    'data.lead,',
    '%20data.lead',
    'data.__proto__',
    'data.constructor',
    'DATA.lead',
    'data.data.lead',
    '%00',
    '%FF',
  )
  return [
    ...['/api/quotes', '/api/resources'].flatMap((path) =>
      limits.map((value): [string, string] => [`${path}?limit=${encodeNonAscii(value)}`, 'limit']),
    ),
    ...times.map((value, i): [string, string] => {
      const name = `${ranges[i % 3]}[${['gt', 'gte', 'lt', 'lte'][i % 4]}]`
      return [`/api/quotes?${name}=${value}`, name]
    }),
    ...ranges.flatMap((name): [string, string][] => [
      [`/api/quotes?${name}=2026-01-01T00:00:00Z`, name],
      [`/api/quotes?${name}[eq]=2026-01-01T00:00:00Z`, `${name}[eq]`],
      [`/api/quotes?${name}[gt]=2026-01-01T00:00:00Z&${name}[gt]=2026-01-01T00:00:00Z`, `${name}[gt]`],
    ]),
    ...['lead_id', 'location_id', 'booking_id', 'event_type_id', 'starting_after', 'limit'].flatMap(
      (name): [string, string][] => [
        [`/api/quotes?${name}=1&${name}=1`, name],
        [`/api/quotes?${name}[]=1`, `${name}[]`],
        [`/api/quotes?${name}[__proto__]=1`, `${name}[__proto__]`],
      ],
    ),
    ...paths.map((path): [string, string] => [`/api/quotes?expand[]=${path}`, 'expand']),
    ...['data.lead', 'booking.events.booking.events.booking', 'lineItems', 'booking.nothing'].map(
      (path): [string, string] => [`/api/quotes/quote_0246?expand[]=${path}`, 'expand'],
    ),
    [`/api/quotes?expand[]=${Array.from({ length: 21 }, (_, i) => `data.p${i}`).join(',')}`, 'expand'],
    ['/api/quotes?expand[x]=data.lead', 'expand[x]'],
    ['/api/resources?expand[]=location', 'location'],
    ['/api/resources?expand[]=', 'expand'],
    ['/api/resources/res_0011?expand=a,b', 'a'],
    ['/api/staff/staff_0001?expand[0]=events', 'expand'],
    ['/api/resources?location_id=a&location_id=b', 'location_id'],
  ]
}

function encodeNonAscii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent)
}

function unknownPlaces(): [path: string, expected: object][] {
  const ids = [
    'nobody',
    '%00',
    '%FF',
    'a'.repeat(256),
    'QUOTE_0246',
    "quote_0246'--",
    '..%2fquote_0246',
    '%252e',
  ]
  const notFound = { status: 404, type: '', code: '' }
  return [
    ...['quotes', 'resources', 'staff'].flatMap((kind) =>
      ids.map((id): [string, object] => [`/api/${kind}/${id}`, UNKNOWN_ID]),
    ),
    ...['form-response', 'invoice'].flatMap((kind) =>
      ids.map((id): [string, object] => [`/api/${kind}/${id}`, inShape('message', notFound)]),
    ),
    ...[
      'form-response/resp_0085_2?format=',
      'form-response/resp_0085_2?format=xml',
      'form-response/x?format=flat&format=flat',
    ].map((path): [string, object] => [`/api/${path}`, inShape('message', { ...notFound, status: 400 })]),
    ...[
      '/api',
      '/api/',
      '/api/quotes/',
      '/api/quotes/a/b',
      '/api//quotes',
      '/API/quotes',
      '/quotes',
      '/api/companies',
      '/..',
      '/%2e%2e/api/quotes',
      '/api/task/create/',
    ].map((path): [string, object] => [path, UNKNOWN_PATH]),
  ]
}

type BadBody = [what: string, body: string, details: string[]]

function badBodies(): BadBody[] {
  const json = (body: unknown) => JSON.stringify(body)
  const task = { eventId: EVENT, description: 'Call' }
  const whole: [what: string, body: string][] = [
    ['no body', ''],
    ['truncated JSON', '{"eventId":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '7'],
    ['a string', '"task"'],
    ['two objects', '{}{}'],
    ['a comment', '{/* */}'],
    ['a trailing comma', `{"eventId":"${EVENT}","description":"Call",}`],
    ['single quotes', `{'eventId':'${EVENT}'}`],
    ['NaN', '{"eventId":NaN}'],
    ['invalid UTF-8', `{"eventId":"${EVENT}","description":"\xff\xfe"}`],
    ['half a surrogate pair', String.raw`{"eventId":"event_0246_1","description":"\ud800"}`],
    [
      'half a surrogate pair in a name',
      String.raw`{"\udc00":1,"eventId":"event_0246_1","description":"Call"}`,
    ],
    ['60,000 open brackets', '['.repeat(60_000)],
    ['a leading NUL', '\0{}'],
  ]
  return [
    ...whole.map(([what, body]): BadBody => [what, body, ['body']]),
    ['an empty object', '{}', ['description', 'eventId']],
    [
      'only a prototype',
      '{"__proto__":{"eventId":"event_0246_1","description":"Call"}}',
      ['description', 'eventId'],
    ],
    ...[null, '', 7, true, {}, [], [EVENT]].map((eventId): BadBody => [
      `eventId ${json(eventId)}`,
      json({ ...task, eventId }),
      ['eventId'],
    ]),
    ...[null, '', ' ', '\t\n\u00a0\ufeff', 7, {}, [], 'a\0b'].map((description): BadBody => [
      `description ${json(description)}`,
      escapeNonAscii(json({ ...task, description })),
      ['description'],
    ]),
    [
      'a description of 10,001 characters',
      json({ ...task, description: 'x'.repeat(10_001) }),
      ['description'],
    ],
    ...[
      '',
      'soon',
      '2026-01-01',
      '2026-02-30T00:00:00Z',
      '2026-01-01T00:00:00',
      7,
      true,
      {},
      [],
      '2026-01-01T00:00:00Z\0',
    ].map((dueDate): BadBody => [`dueDate ${json(dueDate)}`, json({ ...task, dueDate }), ['dueDate']]),
  ]
}

/** The raw client sends Latin-1. */
function escapeNonAscii(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function taskWith(what: string, body: string, details: string[], headers: string[]): BadRequest {
  const length = `content-length: ${Buffer.byteLength(body, 'latin1')}`
  return {
    what: `a task with ${what}`,
    bytes: rawRequest(`POST ${TASK} HTTP/1.1`, [...headers, 'content-type: application/json', length], body),
    expected: { status: 400, shape: 'error', details },
  }
}

function badTaskHeaders(own: string[]): BadRequest[] {
  const body = `{"eventId":"${EVENT}","description":"Call"}`
  const length = `content-length: ${body.length}`
  const post = (headers: string[]) => rawRequest(`POST ${TASK} HTTP/1.1`, [...own, length, ...headers], body)
  const types = [
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=latin1',
  ]
  const keys = ['', 'two words', 'x'.repeat(256), '\xe9']
  return [
    ...types.map((type) => ({
      what: `a task of type "${type}"`,
      bytes: post(type === '' ? [] : [`content-type: ${type}`]),
      expected: { status: 400, shape: 'error', details: ['body'] },
    })),
    ...keys.map((one) => ({
      what: `a task with idempotency-key "${one.slice(0, 20)}"`,
      bytes: post(['content-type: application/json', `idempotency-key: ${one}`]),
      expected: { status: 400, shape: 'error', details: ['idempotency-key'] },
    })),
    ...['nobody', '\\u0000', "x' OR '1'='1", 'EVENT_0246_1'].map((eventId) => {
      const unknown = `{"eventId":"${eventId}","description":"Call"}`
      const headers = [...own, `content-length: ${unknown.length}`, 'content-type: application/json']
      return {
        what: `a task on event "${eventId}"`,
        bytes: rawRequest(`POST ${TASK} HTTP/1.1`, headers, unknown),
        expected: { status: 404, shape: 'error' },
      }
    }),
  ]
}

function wrongMethods(own: string[]): BadRequest[] {
  const wrong: [path: string, shape: 'structured' | 'error' | 'message', methods: string[]][] = [
    ['/api/quotes', 'structured', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']],
    ['/api/quotes/quote_0246', 'structured', ['PUT', 'DELETE', 'PROPFIND']],
    [TASK, 'error', ['GET', 'PUT', 'OPTIONS']],
    ['/api/form-response/resp_0085_2', 'message', ['POST', 'OPTIONS']],
    ['/api/invoice/book_0246', 'message', ['PUT', 'SEARCH']],
    ['/docs', 'structured', ['POST', 'OPTIONS']],
  ]
  return wrong.flatMap(([path, shape, methods]) =>
    methods.map((method) => ({
      what: `${method} ${path}`,
      bytes: rawRequest(`${method} ${path} HTTP/1.1`, own),
      expected: inShape(shape, WRONG_METHOD),
    })),
  )
}

function denials(): BadRequest[] {
  const places: [line: string, shape: 'structured' | 'error' | 'message'][] = [
    ['GET /api/quotes', 'structured'],
    ['GET /api/resources/res_0011', 'structured'],
    [`POST ${TASK}`, 'error'],
    ['GET /api/form-response/resp_0085_2', 'message'],
    ['GET /api/invoice/book_0246', 'message'],
  ]
  const headers: [what: string, lines: string[]][] = [
    ['no key', []],
    ['an empty key', ['x-api-key:']],
    ['an unknown key', ['x-api-key: key-that-is-unknown']],
    ['two keys', ['x-api-key: eqs_demo_harborlight', 'x-api-key: eqs_demo_harborlight']],
    ['a key outside ASCII', ['x-api-key: \xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9']],
    ['SQL as a key', ["x-api-key: ' OR ''='"]],
  ]
  return places.flatMap(([line, shape]) =>
    headers.map(([what, lines]) => ({
      what: `${line} with ${what}`,
      bytes: rawRequest(`${line} HTTP/1.1`, lines),
      expected: inShape(shape, DENIED),
    })),
  )
}

function oversized(own: string[]): BadRequest[] {
  return [
    {
      what: 'a body of 300,000 bytes',
      bytes: rawRequest(`POST ${TASK} HTTP/1.1`, [...own, 'content-length: 300000'], 'x'.repeat(300_000)),
      expected: inShape('error', BODY_TOO_LARGE),
    },
    {
      what: 'a body announced as 10 GB',
      bytes: rawRequest(`POST ${TASK} HTTP/1.1`, [...own, 'content-length: 10000000000']),
      expected: inShape('error', BODY_TOO_LARGE),
    },
    {
      what: 'a URL of 17,000 bytes',
      bytes: rawRequest(`GET /api/quotes?${'x'.repeat(17_000)} HTTP/1.1`, own),
      expected: URL_TOO_LONG,
    },
    {
      what: 'a header of 17,000 bytes',
      bytes: rawRequest('GET /api/quotes HTTP/1.1', [...own, `cookie: ${'x'.repeat(17_000)}`]),
      expected: HEADERS_TOO_LARGE,
    },
    {
      what: '4,000 headers',
      bytes: rawRequest('GET /api/quotes HTTP/1.1', [
        ...own,
        ...Array.from({ length: 4_000 }, (_, i) => `x-${i}: 1`),
      ]),
      expected: HEADERS_TOO_LARGE,
    },
  ]
}

function unreadable(own: string[]): BadRequest[] {
  const line = 'GET /api/quotes HTTP/1.1'
  const requests: [what: string, bytes: string][] = [
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
    ['the start of a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', rawRequest('FOO /api/quotes HTTP/1.1', own)],
    ['CONNECT', rawRequest('CONNECT example.com:443 HTTP/1.1', own)],
    ['an unknown version', rawRequest('GET /api/quotes HTTP/3.0', own)],
    ['no host', `${line}\r\nconnection: close\r\n\r\n`],
    ['two hosts', rawRequest(line, [...own, 'host: other'])],
    ['the same host twice', rawRequest(line, [...own, 'Host: test'])],
    ['a NUL in a header', rawRequest(line, [...own, 'x-a: a\0b'])],
    ['a header without a colon', rawRequest(line, [...own, 'nonsense'])],
    ['a space before the colon', rawRequest(line, [...own, 'x-a : b'])],
    ['a folded header', rawRequest(line, [...own, 'x-a: b', ' c: d'])],
    ['two lengths', rawRequest(line, [...own, 'content-length: 1', 'content-length: 2'])],
    ['a length and chunks', rawRequest(line, [...own, 'content-length: 1', 'transfer-encoding: chunked'])],
    ['a negative length', rawRequest(line, [...own, 'content-length: -1'])],
    ['a length with a sign', rawRequest(line, [...own, 'content-length: +1'])],
    [
      'a chunk without a size',
      rawRequest(`POST ${TASK} HTTP/1.1`, ['transfer-encoding: chunked'], 'x\r\n\r\n'),
    ],
  ]
  return requests.map(([what, bytes]) => ({ what, bytes, expected: UNREADABLE }))
}
