import { describe, expect, it } from 'vitest'
import { openPool } from '../src/db/connect.ts'
import { createInvoiceTokens } from '../src/core/security/invoice-token.ts'
import { onDatabase } from './support/connections.ts'
import { createOlderApi, plantInvoice } from './support/older.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'

const PUBLIC_URL = 'https://quotes.example.com/service'
const SECRET = 'a secret for these tests'
const parts = { publicUrl: () => PUBLIC_URL, appSecrets: [SECRET] as [string] }
const { pool, connection, server } = await createOlderApi(parts)

// The expected order is by creation, then by the bytes of the id. Insertion and update times have another order.
for (const [id, createdAt] of [
  ['inv_c', '2026-03-05T00:00:00Z'],
  ['inv_é', '2026-03-02T00:00:00.001Z'],
  ['inv_a', '2026-03-02T00:00:00.001Z'],
  ['inv_B', '2026-03-02T00:00:00.001Z'],
  ['inv_z', '2026-03-01T00:00:00Z'],
] as const) {
  await plantInvoice(pool, 'co_1', id, {
    created_at: createdAt,
    updated_at: `20${90 - id.length}-01-01T00:00:00Z`,
  })
}
const ORDER = ['inv_z', 'inv_B', 'inv_a', 'inv_é', 'inv_c']
await plant(pool, 'bookings', 'co_1', 'book_none')
await plantInvoice(pool, 'co_1', 'inv_of_another', { booking_id: 'book_2' })
await plantInvoice(pool, 'co_2', 'inv_theirs', { booking_id: 'book_foreign' })
await plantInvoice(pool, 'co_2', 'inv_a')

const pathOf = (id: string, query = '') => `/api/invoice/${encodeURIComponent(id)}${query}`
const get = (id: string, query = '', key = KEY) => server.get(pathOf(id, query), key)

interface Reference {
  bookingId: string
  invoiceIds: string[]
  invoiceUrls: string[]
}

async function read(id: string, key = KEY): Promise<Reference> {
  const answer = await get(id, '', key)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Reference
}

const aMessage = { message: expect.stringMatching(/\S/) as unknown }

describe('L8, O20: GET /invoice/{booking_id}', () => {
  it('returns the documented fields of an invoice reference', async () => {
    const answer = await get('book_1')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(Object.keys(answer.body as object)).toEqual(['bookingId', 'invoiceIds', 'invoiceUrls'])
    expect(answer.body).toMatchObject({ bookingId: 'book_1' })
  })

  it('lists all invoices of the booking by createdAt and id', async () => {
    expect((await read('book_1')).invoiceIds).toEqual(ORDER)
  })

  it('returns ids and URLs in the same order', async () => {
    const { invoiceIds, invoiceUrls } = await read('book_1')
    expect(invoiceUrls).toHaveLength(invoiceIds.length)
    const tokens = createInvoiceTokens(SECRET)
    const opened = invoiceUrls.map((url) => tokens.open(url.slice(`${PUBLIC_URL}/i/`.length)))
    expect(opened).toEqual(ORDER.map((invoiceId) => ({ companyId: 'co_1', invoiceId })))
    for (const [i, invoiceId] of invoiceIds.entries()) {
      await pool.query('UPDATE invoices SET invoice_number = $2 WHERE id = $1', [
        invoiceId,
        `No ${invoiceId}`,
      ])
      const page = await server.call(invoiceUrls[i]?.replace(PUBLIC_URL, '') ?? '')
      expect(page.status).toBe(200)
      expect(page.text).toContain(`No ${invoiceId}`)
    }
  })

  it('returns two empty arrays without invoices', async () => {
    expect(await read('book_none')).toEqual({ bookingId: 'book_none', invoiceIds: [], invoiceUrls: [] })
  })

  it('includes draft and void invoices, and invoices of a canceled booking', async () => {
    await plant(pool, 'bookings', 'co_1', 'book_canceled', { canceled_at: '2026-04-01T00:00:00Z' })
    await plantInvoice(pool, 'co_1', 'inv_draft', { booking_id: 'book_canceled', issued_at: null })
    await plantInvoice(pool, 'co_1', 'inv_void', {
      booking_id: 'book_canceled',
      voided_at: '2026-04-01T00:00:00Z',
      created_at: '2999-01-01T00:00:00Z',
    })
    expect((await read('book_canceled')).invoiceIds).toEqual(['inv_draft', 'inv_void'])
  })

  it('separates companies with the same ids', async () => {
    const [mine, theirs] = [await read('book_1'), await read('book_1', OTHER_KEY)]
    expect(theirs.invoiceIds).toEqual(['inv_a'])
    const mineOfA = mine.invoiceUrls[mine.invoiceIds.indexOf('inv_a')]
    expect(theirs.invoiceUrls[0]).not.toBe(mineOfA)
  })

  it('R2: ignores query parameters', async () => {
    const { text } = await get('book_1')
    for (const query of ['?format=flat', '?limit=x', '?expand[]=lines', '?%ff']) {
      expect((await get('book_1', query)).text).toBe(text)
    }
  })

  it('returns 100 invoices', async () => {
    for (let i = 0; i < 100; i++) {
      await plantInvoice(pool, 'co_1', `many_${String(i).padStart(3, '0')}`, {
        booking_id: 'book_many',
        created_at: '2026-01-01T00:00:00Z',
      })
    }
    const { invoiceIds, invoiceUrls } = await read('book_many')
    expect(invoiceIds).toHaveLength(100)
    expect(invoiceIds).toEqual(invoiceIds.toSorted())
    expect(new Set(invoiceUrls).size).toBe(100)
  })
})

describe('L9: invoice URLs', () => {
  it('are {PUBLIC_URL}/i/<token> and do not contain ids', async () => {
    for (const url of (await read('book_1')).invoiceUrls) {
      expect(url).toMatch(/^https:\/\/quotes\.example\.com\/service\/i\/[\w-]+$/)
      expect(url).not.toContain('inv_')
    }
  })

  it('are the same at every read and on every server with the same secret', async () => {
    const first = await get('book_1')
    expect((await get('book_1')).text).toBe(first.text)
    const second = await startServer(connection, parts)
    expect((await second.get(pathOf('book_1'), KEY)).text).toBe(first.text)
    // Changes of the invoice do not change the URL.
    await pool.query(`UPDATE invoices SET total_cents = 5, voided_at = now() WHERE booking_id = 'book_1'`)
    expect((await get('book_1')).text).toBe(first.text)
  })

  it('differ with another secret', async () => {
    const other = await startServer(connection, { ...parts, appSecrets: ['another secret'] })
    const { invoiceUrls } = (await other.get(pathOf('book_1'), KEY)).body as Reference
    const mine = (await read('book_1')).invoiceUrls
    for (const url of invoiceUrls) expect(mine).not.toContain(url)
  })

  it('are the same as url in booking.invoices of a quote', async () => {
    await plant(pool, 'quotes', 'co_1', 'quote_1', { booking_id: 'book_1' })
    const answer = await server.get('/api/quotes/quote_1?expand[]=booking.invoices', KEY)
    const { invoices } = (answer.body as { booking: { invoices: { id: string; url: string }[] } }).booking
    const { invoiceIds, invoiceUrls } = await read('book_1')
    expect(invoices.map(({ id }) => id)).toEqual(invoiceIds)
    expect(invoices.map(({ url }) => url)).toEqual(invoiceUrls)
  })
})

describe('L7: statuses with {message}', () => {
  it.each([
    ['that does not exist', pathOf('book_unknown')],
    ['of another company', pathOf('book_foreign')],
    ['of an invoice', pathOf('inv_a')],
    ['in another case', pathOf('BOOK_1')],
    ['with a NUL', pathOf('book_1\0')],
    ['of 256 characters', pathOf('b'.repeat(256))],
    ['of 5,000 characters', pathOf('b'.repeat(5000))],
    ['that cannot be decoded', '/api/invoice/%c3%28'],
    ['with half an escape', '/api/invoice/book_1%2'],
  ])('answers the same 404 to an id %s', async (_what, path) => {
    const answer = await server.get(path, KEY)
    expect(answer.status).toBe(404)
    expect(answer.text).toBe('{"message":"Booking not found"}')
  })

  it('finds ids with any characters and returns them unchanged', async () => {
    for (const id of ['a/b', 'a?b#c', '100%', 'é', '😀', '..', ' ']) {
      await plantInvoice(pool, 'co_1', `inv ${id}`, { booking_id: id })
      const { bookingId, invoiceUrls } = await read(id)
      expect(bookingId).toBe(id)
      expect((await server.call(invoiceUrls[0]?.replace(PUBLIC_URL, '') ?? '')).status).toBe(200)
    }
  })

  it('answers the same 401 for every reason', async () => {
    await insertCompany(pool, 'co_pro', { key: 'key-of-a-pro-plan', plan: 'PRO' })
    await insertCompany(pool, 'co_legacy', { key: 'key-of-a-legacy-plan', plan: 'LEGACY_PRO' })
    const answers: Answer[] = [await server.call(pathOf('book_1'))]
    for (const key of ['short', 'key-that-is-unknown', 'key-of-a-pro-plan', 'key-of-a-legacy-plan']) {
      answers.push(await get('book_1', '', key))
    }
    answers.push(await get('book_unknown', '', 'key-that-is-unknown'))
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(aMessage)
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'answers 405 with Allow to %s, also without a key',
    async (method) => {
      const answer = await server.call(pathOf('book_1'), { method })
      expect(answer.status).toBe(405)
      expect(answer.headers['allow']).toBe('GET, HEAD')
      expect(answer.body).toEqual(aMessage)
    },
  )

  it('answers 429, 500 and 503', async () => {
    const unavailable = onDatabase(connection, 'no_such_database')
    const data = openPool(unavailable, 'data', () => undefined)
    const keys = openPool(unavailable, 'keys', () => undefined)
    const limited = await startServer(connection, { rateLimitPerMinute: 1 })
    const answers = [
      await (await startServer(connection, { data })).get(pathOf('book_1'), KEY),
      await (await startServer(connection, { keys })).get(pathOf('book_1'), KEY),
    ]
    for (let i = 0; i < 4; i++) {
      const answer = await limited.get(pathOf('book_1'), KEY)
      if (answer.status !== 200) answers.push(answer)
    }
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([500, 503, 429]))
    for (const { body } of answers) expect(body).toEqual(aMessage)
    await Promise.all([data.end(), keys.end()])
  })
})
