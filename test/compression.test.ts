import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compress, limitedCompress } from '../src/http/compression.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { callForBytes, decodedText } from './support/bytes.ts'
import type { BytesAnswer } from './support/bytes.ts'
import { signedIn } from './support/console.ts'
import { createDemoDatabase } from './support/database.ts'
import { testEndpoint } from './support/endpoints.ts'
import { startServer } from './support/server.ts'

const MIB = 1024 * 1024
const [{ key: KEY, company: COMPANY }] = DEMO_KEYS
const database = await createDemoDatabase()
const { connection } = database

/** Responses of any size. */
const ofSize = testEndpoint('structured', {
  response: z.strictObject({ id: z.string() }),
  answer: async ({ id }) => ({ body: { id: bodyOf(id) } }),
})
const bodyOf = (id: string) => 'event '.repeat(Number(id) / 6).padEnd(Number(id))

const server = await startServer(connection)
/** Has no documentation: that would have to describe the endpoint of this test. */
const sized = await startServer(connection, { endpoints: [ofSize] })

const SIX_EXPANSIONS = ['lead', 'location', 'serviceDays', 'services', 'addons', 'booking.events']
const LARGE_PAGE = `/api/quotes?limit=100&${SIX_EXPANSIONS.map((path) => `expand[]=data.${path}`).join('&')}`

const call = (path: string, acceptEncoding?: string, options: { method?: string; cookie?: string } = {}) =>
  callForBytes((path.startsWith('/api/test-') ? sized : server).port, path, {
    method: options.method ?? 'GET',
    headers: {
      ...(path.startsWith('/api/') ? { 'x-api-key': KEY } : {}),
      ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
      ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
    },
  })

function expectEncoded(answer: BytesAnswer, encoding: string | undefined, text: string): void {
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
  expect(answer.headers['vary']).toContain('accept-encoding')
  expect(decodedText(answer) === text).toBe(true)
}

const plainPage = await call(LARGE_PAGE)

describe('R20: accept-encoding', () => {
  it.each([
    ['br', 'br', 0.12],
    ['gzip', 'gzip', 0.2],
    ['gzip, deflate, br', 'br', 0.12],
    ['br;q=0.1, gzip', 'gzip', 0.2],
    ['*', 'br', 0.12],
  ])('%s: sends a page of 100 quotes with six expansions as %s', async (accepted, encoding, share) => {
    expectEncoded(plainPage, undefined, plainPage.bytes.toString())
    expect(plainPage.bytes.length).toBeGreaterThan(300_000)
    const answer = await call(LARGE_PAGE, accepted)
    expectEncoded(answer, encoding, plainPage.bytes.toString())
    expect(answer.bytes.length).toBeLessThan(plainPage.bytes.length * share)
  })

  it.each([
    '',
    'identity',
    'br;q=0, gzip;q=0',
    'deflate, zstd',
    'gzip;q=x',
    ';;q=,,',
    '\u00ff',
    'gzip,'.repeat(1_000),
  ])('%.30s: does not compress the body', async (accepted) => {
    const answer = await call(LARGE_PAGE, accepted)
    expect(answer.status).toBe(200)
    expectEncoded(answer, undefined, decodedText(plainPage))
  })

  it('compresses bodies from 2 KiB on', async () => {
    const overhead = '{"id":""}'.length
    for (const [bytes, encoding] of [
      [2048, undefined],
      [2049, 'gzip'],
    ] as const) {
      const answer = await call(`/api/test-structured/${bytes - overhead}`, 'gzip')
      expectEncoded(answer, encoding, JSON.stringify({ id: bodyOf(String(bytes - overhead)) }))
    }
  })

  it('compresses a smaller body if the client does not accept it as it is', async () => {
    expectEncoded(
      await call('/api/test-structured/600', 'gzip, identity;q=0'),
      'gzip',
      JSON.stringify({ id: bodyOf('600') }),
    )
  })

  it.each(['10000', '600000'])('does not change a body of %s characters', async (id) => {
    for (const encoding of ['br', 'gzip']) {
      const answer = await call(`/api/test-structured/${id}`, encoding)
      expectEncoded(answer, encoding, JSON.stringify({ id: bodyOf(id) }))
    }
  })

  it.each([LARGE_PAGE, '/api/test-structured/2000000', '/api/openapi.json', '/docs'])(
    'responds to HEAD %s as to GET',
    async (path) => {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const [head, whole] = [await call(path, encoding, { method: 'HEAD' }), await call(path, encoding)]
        expect(head.bytes).toHaveLength(0)
        const comparable = ({ status, headers }: BytesAnswer) => ({
          status,
          headers: { ...headers, date: '', 'x-request-id': '' },
        })
        expect(comparable(head)).toEqual(comparable(whole))
      }
    },
  )
})

describe('compressed responses', () => {
  it.each(['/api/openapi.json', '/docs', '/docs/postman.json', '/assets/docs.css', '/metrics'])(
    'include %s',
    async (path) => {
      const plain = await call(path)
      for (const encoding of ['br', 'gzip', 'gzip']) {
        const answer = await call(path, encoding)
        expect(answer.headers['content-encoding']).toBe(encoding)
        expect(answer.headers['content-type']).toBe(plain.headers['content-type'])
        expect(answer.headers['cache-control']).toBe(plain.headers['cache-control'])
        if (path !== '/metrics') expectEncoded(answer, encoding, plain.bytes.toString())
      }
    },
  )

  it('include the scripts of the console, in the preferred encoding', async () => {
    const [, path = ''] = /src="[^"]*?(assets\/[\w-]+\.js)"/.exec((await call('/')).bytes.toString()) ?? []
    const plain = await call(`/${path}`)
    for (const [accepted, encoding] of [
      ['gzip;q=1.0, br;q=0.5', 'gzip'],
      ['gzip;q=0.2, br;q=0.5', 'br'],
      ['*;q=0.1', 'br'],
    ] as const)
      expectEncoded(await call(`/${path}`, accepted), encoding, plain.bytes.toString())
  })

  it('include calls of the console', async () => {
    const { cookie } = await signedIn(server, database, COMPANY)
    const plain = await call('/console/quotes', undefined, { cookie })
    expect(plain.status).toBe(200)
    const answer = await call('/console/quotes', 'br', { cookie })
    expectEncoded(answer, 'br', plain.bytes.toString())
  })

  it('include the page of an invoice', async () => {
    const { body } = await server.get('/api/invoice/book_0246', KEY)
    const [url = ''] = (body as { invoiceUrls: string[] }).invoiceUrls
    const answer = await call(new URL(url).pathname, 'gzip, br')
    expect(answer.headers['content-encoding']).toBe('br')
    expect(decodedText(answer)).toContain('<!doctype html>')
  })

  it('include a long error', async () => {
    const path = `/api/quotes?expand[]=${'x'.repeat(8_000)}`
    const answer = await call(path, 'gzip')
    expect(answer.status).toBe(400)
    expectEncoded(answer, 'gzip', (await call(path)).bytes.toString())
  })
})

describe('compressing', () => {
  const text = Buffer.from(JSON.stringify({ text: 'event '.repeat(MIB) }))

  it('skips bodies while too many wait, and continues after that', async () => {
    const compressSome = limitedCompress(2, 4)
    const results = await Promise.all(Array.from({ length: 6 }, () => compressSome(text, 'gzip')))
    expect(results.map((result) => result !== null)).toEqual([true, true, true, true, false, false])
    expect(await compressSome(text, 'br')).not.toBeNull()
  })

  it('does not change a body that would become larger', async () => {
    expect(await compress(randomBytes(5_000), 'gzip')).toBeNull()
  })
})

describe('the entity tag of the OpenAPI document', () => {
  const get = (headers: Record<string, string>, path = '/api/openapi.json', method = 'GET') =>
    callForBytes(server.port, path, { headers, method })

  it('is the same at every read and for every encoding', async () => {
    const answers = await Promise.all(
      ['identity', 'br', 'gzip', 'gzip'].map((encoding) => get({ 'accept-encoding': encoding })),
    )
    const [etag] = answers.map(({ headers }) => headers.etag)
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const { headers } of answers) expect(headers.etag).toBe(etag)
  })

  it.each([
    ['the tag', (etag: string) => etag],
    ['the tag without W/', (etag: string) => etag.slice(2)],
    ['a list', (etag: string) => `"other", ${etag}`],
    ['*', () => '*'],
  ])('if-none-match with %s gets a 304 without a body', async (_, header) => {
    for (const method of ['GET', 'HEAD']) {
      const { etag = '' } = (await get({})).headers
      const answer = await get(
        { 'if-none-match': header(etag), 'accept-encoding': 'br' },
        '/api/openapi.json',
        method,
      )
      expect(answer.status).toBe(304)
      expect(answer.bytes).toHaveLength(0)
      expect(answer.headers).toMatchObject({
        etag,
        'cache-control': 'public, max-age=60',
        vary: 'accept-encoding',
      })
    }
  })

  it.each(['"other"', 'W/"other"', '', 'nonsense', '"', 'W/'])(
    'if-none-match %s gets the document',
    async (header) => {
      const answer = await get({ 'if-none-match': header })
      expect(answer.status).toBe(200)
      expect(answer.headers['cache-control']).toBe('public, max-age=60')
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ openapi: '3.1.0' })
    },
  )

  it('exists for the files of the reference page, too', async () => {
    const path = '/docs'
    const { etag = '' } = (await get({}, path)).headers
    expect((await get({ 'if-none-match': etag }, path)).status).toBe(304)
  })
})
