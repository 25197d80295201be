import { describe, expect, it } from 'vitest'
import { createDatabase } from './support/database.ts'
import { UNKNOWN_PATH, errorOf } from './support/errors.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const KEY = 'key-of-the-first-company'
const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
const server = await startServer(connection)

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
}
const UNKNOWN = [
  '/nowhere',
  '/nowhere/at/all?x=1',
  '/quotes/quote_1/nothing',
  '/docs/nothing',
  '/console/nothing',
  '/assets/nothing.js',
  '/fonts/nope.woff2',
  '/API/quotes',
  '/apiary',
  '/%zz',
  '/<script>alert(1)</script>',
]

describe.each(UNKNOWN)('the unknown URL %s', (path) => {
  it('returns a page to a browser', async () => {
    const answer = await server.call(path, { headers: BROWSER })
    expect(answer.status).toBe(404)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'accept, accept-encoding',
      'x-request-id': expect.stringMatching(/^req_/),
    })
    expect(answer.text).toContain('<h1>Page not found</h1>')
    expect(answer.text).not.toContain('alert(1)')
  })

  it.each([
    ['a client without an accept header', {}],
    ['curl', { accept: '*/*' }],
    ['a JSON client', { accept: 'application/json, text/plain, */*' }],
    ['a script in a browser', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
    ['a client with a key', { ...BROWSER, 'x-api-key': KEY }],
  ])('returns JSON to %s', async (_, headers) => {
    expect(errorOf(await server.call(path, { headers }))).toEqual(UNKNOWN_PATH)
  })

  it('answers HEAD like GET, and other methods with JSON', async () => {
    const [head, whole] = [
      await server.call(path, { method: 'HEAD', headers: BROWSER }),
      await server.call(path, { headers: BROWSER }),
    ]
    expect([head.status, head.text, head.headers['content-type']]).toEqual([
      404,
      '',
      whole.headers['content-type'],
    ])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)))
    const post = await server.call(path, { method: 'POST', headers: BROWSER })
    expect(post.headers['content-type']).toContain('application/json')
  })
})

describe('unknown paths of the API', () => {
  it.each(['/api', '/api/', '/api/nowhere', '/api?x', '/%61pi/nowhere', '/api/resources/'])(
    'returns JSON for %s, also to a browser',
    async (path) => {
      const answer = await server.call(path, { headers: BROWSER })
      expect(errorOf(answer)).toEqual(UNKNOWN_PATH)
      expect(answer.headers['vary']).toBe('accept-encoding')
    },
  )
})

describe('the page', () => {
  it('loads only fonts and the icon of the service, and its policy allows its style', async () => {
    const { headers, text } = await server.call('/nowhere', { headers: BROWSER })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
    expect(headers['content-security-policy']).toContain("img-src 'self'")
    const others = text
      .replaceAll(/url\(\/fonts\/[a-z-]+-[0-9a-f]{12}\.woff2\)/g, '')
      .replace('<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">', '')
      .replace('<img src="/docs/icon.svg"', '')
    expect(others).not.toMatch(/<(script|link|img)|url\(/)
    expect(text).toContain('<img src="/docs/icon.svg" alt=""')
    expect(text).toContain('prefers-color-scheme: dark')
  })

  it('links to the console and the reference, below the path of PUBLIC_URL', async () => {
    const elsewhere = await startServer(connection, { publicUrl: () => 'https://example.com/quotes' })
    const { text } = await elsewhere.call('/a/b/c', { headers: BROWSER })
    expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/quotes/docs/icon.svg',
      '/quotes/',
      '/quotes/docs',
    ])
  })
})
