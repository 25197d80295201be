/** For every route, requests of the maximum size, with content that is expensive to parse, check, redact or process. */
import { createChangeListener } from '../src/changes/listener.ts'
import { openPool } from '../src/db/connect.ts'
import { CONSOLE_ROUTES } from '../src/console/routes.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import {
  BODY_MAX_BYTES,
  CONSOLE_BODY_MAX_BYTES,
  SIGN_IN_MAX_BYTES,
  URL_MAX_BYTES,
} from '../src/http/limits.ts'
import { buildServer } from '../src/server/build-server.ts'
import { createLogger } from '../src/server/log.ts'
import { CONSOLE_REQUESTS } from '../test/support/console-requests.ts'
import { routesOf } from '../test/support/routes.ts'
import { GOOD_KEY } from './service.ts'
import { BODIES, HEADERS, HEADER_BYTES, QUERIES, TARGETS, fill } from './stalls-content.ts'

export interface HostileRequest {
  /** Route, caller and content as a text */
  what: string
  route: string
  /** The complete HTTP request */
  text: string
}

interface Route {
  method: string
  path: string
}

/** The routes of a server that is built but not started, so that new routes are covered. */
export async function listRoutes(): Promise<Route[]> {
  const connection = { connectionString: 'postgres://127.0.0.1:1/none' }
  const pool = openPool(connection, 'data', () => undefined)
  const logger = createLogger('error', { write: () => undefined })
  const app = buildServer({
    data: pool,
    keys: pool,
    console: pool,
    reports: pool,
    logger,
    changes: createChangeListener({ connection, db: pool, log: logger }),
    trustedProxies: [],
    rateLimitPerMinute: undefined,
    publicUrl: () => 'http://127.0.0.1',
    appSecrets: ['t'.repeat(32)],
    isMigrated: () => true,
  })
  await app.ready()
  const routes = routesOf(app.printRoutes({ commonPrefix: false }))
  await app.close()
  await pool.end()
  return routes.flatMap((route) => {
    const [path = '', methods = ''] = route.slice(0, -1).split(' (')
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => ({ method, path }))
  })
}

/** A key that overlaps with itself at every position */
const WRONG_KEY = 'aaaaaaaa'

interface Caller {
  name: string
  headers: string[]
}

/** `some` selects kinds of content for a route and caller. */
export function hostileRequests(
  routes: readonly Route[],
  cookie: string,
  some: <Kind>(kinds: Kind[]) => Kind[],
): HostileRequest[] {
  const callers: Caller[] = [
    { name: 'no key and no session', headers: [] },
    {
      name: 'a wrong key and session',
      headers: [`x-api-key: ${WRONG_KEY}`, `cookie: eqs_session=${'a'.repeat(8_000)}`],
    },
    { name: 'a good key and session', headers: [`x-api-key: ${GOOD_KEY}`, `cookie: ${cookie}`] },
  ]
  const unknown = ['/api/', '/console/', '/'].map((path) => ({ method: 'GET', path: `${path}:id` }))
  return callers.flatMap((caller) =>
    [...routes, ...unknown].flatMap((route) => [
      ...some(Object.entries(TARGETS)).map(([content, piece]) =>
        build(route, caller, content, { path: longPath(route.path, piece) }),
      ),
      ...some(Object.entries(QUERIES)).map(([content, piece]) =>
        build(route, caller, content, { path: fill(`${pathOf(route)}?`, piece, '', URL_MAX_BYTES) }),
      ),
      ...some(Object.entries(HEADERS)).map(([name, piece]) =>
        build(route, caller, `a long ${name}`, { headers: [fill(`${name}: `, piece, 'a', HEADER_BYTES)] }),
      ),
      ...some(route.method === 'GET' ? [] : bodiesOf(route)).map(([content, body]) =>
        build(route, caller, content, { body }),
      ),
    ]),
  )
}

/** Requests that stalled earlier versions, included in every run. */
export function namedRequests(cookie: string): HostileRequest[] {
  const signedOut = { name: 'signed out', headers: [] }
  const wrong = { name: 'a wrong key', headers: [`x-api-key: ${WRONG_KEY}`] }
  const member = { name: 'a good session', headers: [`cookie: ${cookie}`] }
  const signIn = { method: 'POST', path: '/console/session' }
  const save = { method: 'PUT', path: '/console/quotes/:id' }
  const ones = BODIES['an array of ones'] ?? String
  return [
    build(signIn, signedOut, 'an array of ones', { body: ones(bodyMaxOf(signIn)) }),
    build(signIn, signedOut, '256 KiB of ones', { body: ones(BODY_MAX_BYTES) }),
    build({ method: 'GET', path: '/api/:id' }, wrong, 'the key', { path: fill('/api/%', 'a', '', 16_000) }),
    build(save, member, 'an array of ones', { body: ones(bodyMaxOf(save)) }),
    build(save, member, '2 MiB of ones', { body: ones(2 * 1024 * 1024) }),
    ...largeQuotes(bodyMaxOf(save)).map(([content, body]) => build(save, member, content, { body })),
  ]
}

function longPath(path: string, piece: string): string {
  const [start = '', end] = path.split(/:\w+|\*/)
  return end === undefined
    ? fill(`${path}?`, piece, '', URL_MAX_BYTES)
    : fill(start, piece, end, URL_MAX_BYTES)
}

const keyOf = ({ method, path }: Route) => `${method} ${path}`
/** Ids of the demo world for the ids of routes */
const IDS: Record<string, string> = { evt: 'event_0246_1', q: 'quote_0246' }

function pathOf(route: Route): string {
  const { id = 'x' } = CONSOLE_REQUESTS[keyOf(route)] ?? {}
  return route.path.replace(/:\w+|\*/, IDS[id] ?? id)
}

function bodyMaxOf(route: Route): number {
  if (/^\/console\/sessions?$/.test(route.path)) return SIGN_IN_MAX_BYTES
  const inConsole = CONSOLE_ROUTES.find(({ method, path }) => keyOf({ method, path }) === keyOf(route))
  if (inConsole !== undefined) return inConsole.bodyMaxBytes ?? CONSOLE_BODY_MAX_BYTES
  return BODY_MAX_BYTES
}

/** Any JSON, and valid bodies of the route with a long text or many values in each place. */
function bodiesOf(route: Route): [content: string, body: string][] {
  const max = bodyMaxOf(route)
  const endpoint = ENDPOINTS.find(({ method, path }) => keyOf({ method, path }) === keyOf(route))
  const good = endpoint?.example.body ?? CONSOLE_REQUESTS[keyOf(route)]?.body ?? {}
  const room = max - 2 - JSON.stringify(good).length
  const changed = Object.keys(good).flatMap((name): [string, string][] => [
    [`a long text as ${name}`, JSON.stringify({ ...good, [name]: 'a'.repeat(room) })],
    [`control characters as ${name}`, JSON.stringify({ ...good, [name]: '\u0001'.repeat(room / 6) })],
    [`20,000 numbers as ${name}`, JSON.stringify({ ...good, [name]: ones(Math.min(20_000, room / 2)) })],
    [`1,500 objects as ${name}`, JSON.stringify({ ...good, [name]: objects(Math.min(1_500, room / 150)) })],
  ])
  return [
    ...Object.entries(BODIES).map(([content, make]): [string, string] => [content, make(max)]),
    ...changed,
  ]
}

const ones = (count: number) => Array.from({ length: Math.floor(count) }, () => 1)
const objects = (count: number) => Array.from({ length: Math.floor(count) }, () => JSON.parse(MANY) as object)
const MANY = `{${Array.from({ length: 14 }, (_, i) => `"member_${i}":1`).join(',')}}`

const LINE = {
  id: null,
  serviceDayId: null,
  kind: 'CUSTOM',
  serviceId: null,
  addonId: null,
  quantity: '1',
  unitPriceCents: 1,
  priceCents: 1,
  taxable: true,
  discountId: null,
}

/** Bodies that are valid except for the version, or invalid in every line. */
function largeQuotes(max: number): [content: string, body: string][] {
  const { body = {} } = CONSOLE_REQUESTS['PUT /console/quotes/:id'] ?? {}
  const { content } = body as { content: object }
  const room = Math.floor(max / 1_000) - 250
  const of = (line: object) =>
    JSON.stringify({ ...body, content: { ...content, lines: Array.from({ length: 1_000 }, () => line) } })
  return [
    ['1,000 long lines', of({ ...LINE, description: 'a'.repeat(room) })],
    ['1,000 lines of emoji', of({ ...LINE, description: '\u{1F389}'.repeat(room / 4) })],
    ['1,000 lines without members', of({})],
    ['1,000 lines of long ids', of({ ...LINE, description: null, id: 'a'.repeat(room) })],
    ['1,000 lines with unknown members', of(JSON.parse(MANY) as object)],
  ]
}

interface Parts {
  path?: string
  headers?: string[]
  body?: string
}

function build(route: Route, caller: Caller, content: string, parts: Parts): HostileRequest {
  const { path = pathOf(route), headers = [], body } = parts
  // Later requests need the session.
  const isSignOut = route.method === 'DELETE' && /^\/console\/sessions?$/.test(route.path)
  const replaced = new Set([...headers.map(nameOf), ...(isSignOut ? ['cookie'] : [])])
  const own = caller.headers.filter((line) => !replaced.has(nameOf(line)))
  const lines = [
    `${route.method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...own,
    ...headers,
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ]
  return {
    what: `${keyOf(route)}, ${caller.name}: ${content}`,
    route: keyOf(route),
    text: `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`,
  }
}

const nameOf = (line: string) => line.slice(0, line.indexOf(':'))
