/** The security headers of every response, including errors, and the absence of CORS. */
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { CONSOLE_PAGES, LINK_PAGES } from '../src/core/console-pages.ts'
import { RECORD_PAGES } from '../src/core/record-kinds.ts'
import { createClientErrors } from '../src/http/client-errors.ts'
import { SECURITY_HEADERS } from '../src/http/security-headers.ts'
import { CONSOLE_ROUTES } from '../src/console/routes.ts'
import { fontPreload } from '../src/http/fonts.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { createDemoDatabase } from './support/database.ts'
import { startProxy } from './support/database-proxy.ts'
import { rawRequest } from './support/raw.ts'
import type { Answer } from './support/raw.ts'
import { startServer } from './support/server.ts'

const { connection } = await createDemoDatabase()
const server = await startServer(connection)
const [{ key: KEY }] = DEMO_KEYS
const EVIL = 'https://evil.example'

const invoices = await server.get('/api/invoice/book_0246', KEY)
const [, font = ''] = /href="([^"]+)"/.exec(fontPreload('/')) ?? []
const [, invoicePage = ''] = /http:\/\/127\.0\.0\.1:3000(\/i\/[^"]+)/.exec(invoices.text) ?? []

/** An existing path of each route. A new route fails here until it is added. */
const PATHS: Record<string, string> = {
  '/': '/',
  ...Object.fromEntries(
    ENDPOINTS.map(({ path, example }) => [path, path.replace(/:\w+/, example.id ?? 'unknown')]),
  ),
  '/api/openapi.json': '/api/openapi.json',
  '/i/:token': invoicePage,
  '/i/:token/pdf': `${invoicePage}/pdf`,
  '/i/:token*': `${invoicePage}/`,
  '/f/form.js': '/f/form.js',
  '/f/:key': '/f/harborlight-quote',
  '/f/:key/sent': '/f/harborlight-quote/sent',
  '/f/:key/embed.js': '/f/harborlight-quote/embed.js',
  '/f/b/:key': '/f/b/unknown',
  '/f/b/:key/sent': '/f/b/unknown/sent',
  ...Object.fromEntries(
    ['', '/pdf', '/choices', '/accept', '/decline', '/question'].map((form) => [
      `/q/:token${form}`,
      `/q/nothing${form}`,
    ]),
  ),
  '/fonts/:name': font,
  '/logo/:company/:hash': '/logo/co_harborlight/none',
  '/healthz': '/healthz',
  '/readyz': '/readyz',
  '/metrics': '/metrics',
  '/.well-known/security.txt': '/.well-known/security.txt',
  '/security-policy': '/security-policy',
  '/assets/:name': '/assets/color-scheme.js',
  '/console/session': '/console/session',
  '/console/sessions': '/console/sessions',
  '/docs': '/docs',
  '/docs/fonts.css': '/docs/fonts.css',
  '/docs/icon.svg': '/docs/icon.svg',
  '/docs/postman.json': '/docs/postman.json',
}

/** The routes of the application come from its tables. Without a session they reveal nothing. */
const LINK_CALLS = ['open', 'setup', 'invite', 'reset', 'forgot'].map((call) => `/console/links/${call}`)
for (const path of [
  ...Object.values(CONSOLE_PAGES),
  ...Object.values(LINK_PAGES),
  ...Object.values(RECORD_PAGES).flatMap((page) => [page, `${page}/:id`]),
  ...LINK_CALLS,
  ...CONSOLE_ROUTES.map(({ path: own }) => own),
])
  PATHS[path] = path.replace(/:\w+/, 'an-id')

const routes = server.listRoutes().map((route) => {
  const [, path = '', methods = ''] = /^(\S+) \((.*)\)$/.exec(route) ?? []
  return { path, methods: methods.split(', ') }
})

/** The response may load only what the policy of its page allows, from this host, and no page may frame it. */
function expectSecure({ headers }: Answer, { isForOthers = false } = {}): void {
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(headers['cross-origin-resource-policy']).toBe(isForOthers ? 'cross-origin' : 'same-origin')
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy.join('; ')).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
  expect(headers).not.toHaveProperty('x-powered-by')
  expect(headers).not.toHaveProperty('server')
  expect(headers).not.toHaveProperty('set-cookie')
}

function expectNoCors({ headers }: Answer): void {
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
}

describe('security headers', () => {
  it('are checked for every route', () => {
    expect(routes.map(({ path }) => path).toSorted()).toEqual(Object.keys(PATHS).toSorted())
  })

  it.each(routes.flatMap(({ path, methods }) => methods.map((method) => [method, path] as const)))(
    'are on %s %s, with a key and without',
    async (method, path) => {
      for (const headers of [{}, { 'x-api-key': KEY }]) {
        const answer = await server.call(PATHS[path] ?? '', { method, headers })
        expect(answer.status).toBeLessThan(500)
        // The script that pages of other sites load.
        expectSecure(answer, { isForOthers: path === '/f/:key/embed.js' })
      }
    },
  )

  it.each([
    ['an unknown path', 404, rawRequest('GET /nowhere HTTP/1.1')],
    ['an unknown path of the API', 404, rawRequest('GET /api/nowhere HTTP/1.1', [`x-api-key: ${KEY}`])],
    ['an unknown id', 404, rawRequest('GET /api/staff/unknown HTTP/1.1', [`x-api-key: ${KEY}`])],
    ['an unknown invoice', 404, rawRequest('GET /i/nothing HTTP/1.1')],
    ['an unknown quote', 404, rawRequest('GET /q/nothing HTTP/1.1')],
    ['a wrong parameter', 400, rawRequest('GET /api/quotes?limit=0 HTTP/1.1', [`x-api-key: ${KEY}`])],
    ['a wrong body', 400, rawRequest('POST /api/task/create HTTP/1.1', [`x-api-key: ${KEY}`])],
    ['a wrong method', 405, rawRequest('DELETE /docs HTTP/1.1')],
    [
      'a body that is too large',
      413,
      rawRequest('POST /api/task/create HTTP/1.1', [`x-api-key: ${KEY}`, 'content-length: 300000']),
    ],
    ['a URL that is too long', 414, rawRequest(`GET /docs?${'x'.repeat(17_000)} HTTP/1.1`)],
    ['headers that are too large', 431, rawRequest('GET /docs HTTP/1.1', [`x-a: ${'x'.repeat(17_000)}`])],
    ['no host', 400, 'GET /docs HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two hosts', 400, rawRequest('GET /docs HTTP/1.1', ['host: other'])],
    // The HTTP parser rejects the rest.
    ['no HTTP', 400, 'hello\r\n\r\n'],
    ['a header without a colon', 400, rawRequest('GET /docs HTTP/1.1', ['nonsense'])],
    ['CONNECT', 400, rawRequest('CONNECT example.com:443 HTTP/1.1')],
    ['more headers than are read', 431, rawRequest('GET / HTTP/1.1', [`x-a: ${'x'.repeat(300_000)}`])],
  ])('are on the response to %s, %i', async (_, status, bytes) => {
    const answer = await server.raw(bytes)
    expect(answer.status).toBe(status)
    expectSecure(answer)
    expectNoCors(answer)
  })

  it('are on 408, which takes ten seconds to come', () => {
    const answered = new PassThrough()
    createClientErrors(
      () => SECURITY_HEADERS,
      () => undefined,
    )({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, answered)
    const [statusLine, ...lines] = String(answered.read()).split('\r\n\r\n')[0]?.split('\r\n') ?? []
    expect(statusLine).toBe('HTTP/1.1 408 Request Timeout')
    const headers = Object.fromEntries(
      lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    )
    expectSecure({ status: 408, headers, text: '', body: undefined })
  })

  it('are on 401, 429, 500 and 503, of the API and of pages', async () => {
    expectSecure(await server.get('/api/quotes', 'key-that-is-unknown'))
    const limited = await startServer(connection, { rateLimitPerMinute: 1 })
    await limited.get('/api/quotes', KEY)
    const proxy = await startProxy(connection)
    const broken = await startServer(connection, { dataConnection: proxy.connection })
    const away = await startServer(connection, { keysConnection: proxy.connection })
    await proxy.refuse()
    const answers = [
      await limited.get('/api/quotes', KEY),
      await broken.get('/api/quotes', KEY),
      await broken.call(invoicePage),
      await away.get('/api/quotes', KEY),
      await away.call('/readyz'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([429, 500, 500, 503, 503])
    for (const answer of answers) expectSecure(answer)
  })
})

describe('HSTS', () => {
  const bytes: [what: string, status: number, bytes: string][] = [
    ['a page', 200, rawRequest('GET /docs HTTP/1.1')],
    ['an answer of the API', 200, rawRequest('GET /api/quotes?limit=1 HTTP/1.1', [`x-api-key: ${KEY}`])],
    ['a denial', 401, rawRequest('GET /api/quotes HTTP/1.1')],
    ['an unknown path', 404, rawRequest('GET /nowhere HTTP/1.1')],
    ['an invoice', 200, rawRequest(`GET ${invoicePage} HTTP/1.1`)],
    ['a call of the console', 200, rawRequest('GET /console/session HTTP/1.1')],
    ['two hosts', 400, rawRequest('GET /docs HTTP/1.1', ['host: other'])],
    ['bytes that are not HTTP', 400, 'hello\r\n\r\n'],
    ['CONNECT', 400, rawRequest('CONNECT example.com:443 HTTP/1.1')],
    ['more headers than are read', 431, rawRequest('GET / HTTP/1.1', [`x-a: ${'x'.repeat(300_000)}`])],
  ]

  it.each(['https://quotes.example', 'HTTPS://quotes.example', 'https://example.com/quotes'])(
    'is on every response if PUBLIC_URL is %s, for this host alone',
    async (url) => {
      const secure = await startServer(connection, { publicUrl: () => url })
      for (const [what, status, request] of bytes) {
        const answer = await secure.raw(request)
        expect([what, answer.status]).toEqual([what, status])
        expect([what, answer.headers['strict-transport-security']]).toEqual([what, 'max-age=31536000'])
        expectSecure(answer)
      }
    },
  )

  it('is on no response if PUBLIC_URL is http', async () => {
    for (const [, , request] of bytes)
      expect((await server.raw(request)).headers).not.toHaveProperty('strict-transport-security')
  })
})

describe('CORS is off: no other site can read a response or send more than a simple request', () => {
  it.each(routes.map(({ path }) => path))('at %s', async (path) => {
    const preflight = await server.call(PATHS[path] ?? '', {
      method: 'OPTIONS',
      headers: {
        origin: EVIL,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key, content-type',
        'access-control-request-private-network': 'true',
      },
    })
    expect([404, 405]).toContain(preflight.status)
    expectNoCors(preflight)
    for (const origin of [EVIL, 'null', 'http://127.0.0.1:3000'])
      for (const headers of [{ origin }, { origin, 'x-api-key': KEY }])
        expectNoCors(await server.call(PATHS[path] ?? '', { headers }))
  })
})
