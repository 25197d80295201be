/** The invoices of a booking, and undoing and canceling a booking. */
import { describe, expect, it } from 'vitest'
import type { QuoteEditAnswer } from '../src/console/quote-edit.ts'
import { readChanges } from './support/actions.ts'
import { callConsole, signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { pageText } from './support/invoice-page.ts'
import { pdfText } from './support/pdf.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, importValid } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
const record = (object: string, id: string, rest: object) => ({ object, id, companyId: 'c', ...rest })
const terms = (id: string, rest: object) => record('paymentTerms', id, { name: id, ...rest })
await importValid(connection, [
  {
    ...MINIMAL.company,
    invoicePrefix: 'HL-',
    nextInvoiceNumber: 8,
    legalName: 'Harbor Light LLC',
    streetAddress: '4 Pier Road',
    city: 'Portland',
    state: 'ME',
    zip: '04101',
    country: 'US',
    timeZone: 'Asia/Tokyo',
    taxNumber: '12-3456789',
    howToPay: 'By bank transfer to 123.',
    footer: 'Thank you!',
  },
  MINIMAL.apiKey,
  { ...MINIMAL.location, timeZone: 'America/New_York' },
  record('lead', 'ada', { firstName: 'Ada', lastName: 'Noor', email: 'ada@example.com' }),
  record('service', 'bar', { name: 'Bar' }),
  record('discount', 'tenth', { name: 'Tenth', type: 'PERCENT', percentOff: 10 }),
  record('taxRate', 'vat', { name: 'VAT', rate: 7.25 }),
  record('serviceCharge', 'fifth', { name: 'Service charge', type: 'PERCENT', percentage: 20 }),
  terms('deposit', {
    paymentSchedule: 'DEPOSIT',
    depositType: 'PERCENT',
    depositPercentage: 33.333333,
    invoiceDueDays: 10,
  }),
  terms('card', { paymentSchedule: 'CARD_ON_FILE' }),
  terms('later', { paymentSchedule: 'INVOICE_ONLY', invoiceDueDays: 2 }),
  record('booking', 'old', { currency: 'USD', totalPriceCents: 1 }),
  record('invoice', 'old', { bookingId: 'old', invoiceNumber: 'hl-9', currency: 'USD', totalCents: 1 }),
])
const server = await startServer(connection)
const { cookie } = await signedIn(server, database, 'c')
const api = async (method: string, path: string, body?: object) => {
  const headers = { 'x-api-key': MINIMAL.apiKey.key, 'content-type': 'application/json' }
  return server.call(`/api/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
interface Invoice {
  id: string
  invoiceNumber: string
  status: string
  total: number
  dueDate: string | null
  url: string
}

const QUOTE = {
  leadId: 'ada',
  locationId: MINIMAL.location.id,
  eventAddress: 'Pier 4',
  taxRateId: 'vat',
  discountId: 'tenth',
  serviceChargeIds: ['fifth'],
  travelFeeCents: 1_999,
  serviceDays: [{ serviceStartTime: '2099-07-04T23:00:00Z', serviceEndTime: '2099-07-05T03:00:00Z' }],
  lines: [
    { kind: 'SERVICE', serviceId: 'bar', quantity: 3, unitPriceCents: 3_333, description: 'Two bartenders' },
    { kind: 'CUSTOM', description: 'Ice', priceCents: 501 },
  ],
}

async function createQuote(members: object = {}): Promise<string> {
  const { status, body, text } = await api('POST', 'quotes', { ...QUOTE, ...members })
  expect(status, text).toBe(201)
  return (body as { id: string }).id
}

async function book(id: string): Promise<{ bookingId: string; totalPriceCents: number }> {
  const { status, body, text } = await api('POST', `quotes/${id}/book`, {})
  expect(status, text).toBe(200)
  return body as { bookingId: string; totalPriceCents: number }
}

async function invoicesOf(bookingId: string): Promise<Invoice[]> {
  const { body } = await api('GET', `invoices?booking_id=${bookingId}`)
  return (body as { data: Invoice[] }).data.toReversed()
}

const rowsOf = async (bookingId: string) =>
  (
    await pool.query<{ total: string; tax: string; discount: string; deducted: string; lines: object[] }>(
      `SELECT total_cents AS total, tax_cents AS tax, discount_cents AS discount, deducted_cents AS deducted, lines
       FROM invoices WHERE booking_id = $1 ORDER BY created_at, id`,
      [bookingId],
    )
  ).rows

/** An action of the console on the stored version. */
async function act(id: string, path: string) {
  const edit = await callConsole(server, cookie, 'GET', `quotes/${id}/edit`)
  const { version } = edit.body as QuoteEditAnswer
  return callConsole(server, cookie, 'POST', `quotes/${id}/${path}`, { version })
}

describe('the invoices of a booking', () => {
  it('IV2, IV3, IV4: deposit and balance add up and get the next free numbers', async () => {
    const { bookingId, totalPriceCents } = await book(await createQuote({ paymentTermsId: 'deposit' }))
    const invoices = await invoicesOf(bookingId)
    expect(invoices).toMatchObject([
      {
        invoiceNumber: 'HL-8',
        status: 'Open',
        leadId: 'ada',
        description: expect.stringMatching(/^Deposit for quote Q-\d+$/) as string,
      },
      { invoiceNumber: 'HL-10', status: 'Open', dueDate: '2099-06-25T03:59:59.999Z' },
    ])
    expect(invoices.reduce((sum, { total }) => sum + total, 0)).toBe(totalPriceCents)
    const [deposit, balance] = await rowsOf(bookingId)
    const net = Number(deposit?.total) - Number(deposit?.tax)
    expect(deposit?.lines).toMatchObject([{ quantity: 1, amountCents: net }])
    expect(balance).toMatchObject({ deducted: String(net), discount: '1250' })
    expect(balance?.lines).toEqual([
      { description: 'Bar\nTwo bartenders', quantity: 3, unitPriceCents: 3_333, amountCents: 9_999 },
      { description: 'Ice', quantity: 1, unitPriceCents: null, amountCents: 501 },
      { description: 'Travel fee', quantity: 1, unitPriceCents: null, amountCents: 1_999 },
      { description: 'Service charge', quantity: 1, unitPriceCents: null, amountCents: 2_250 },
    ])
    const gross = 9_999 + 501 + 1_999 + 2_250
    expect(gross - 1_250 - net + Number(balance?.tax)).toBe(Number(balance?.total))
  })

  it('IV1: CARD_ON_FILE creates one draft without a number', async () => {
    const { rows } = await pool.query('SELECT next_invoice_number AS next FROM companies')
    const { bookingId } = await book(await createQuote({ paymentTermsId: 'card' }))
    expect(await invoicesOf(bookingId)).toMatchObject([
      { invoiceNumber: 'Draft', status: 'Draft', dueDate: null },
    ])
    expect((await pool.query('SELECT next_invoice_number AS next FROM companies')).rows).toEqual(rows)
  })

  it('IV1: the due date counts from the last day in the time zone of the location', async () => {
    const { bookingId } = await book(await createQuote({ paymentTermsId: 'later' }))
    expect(await invoicesOf(bookingId)).toMatchObject([{ dueDate: '2099-07-07T03:59:59.999Z' }])
  })

  it('IV1: a total of 0 creates no invoice', async () => {
    const free = { lines: [], travelFeeCents: 0, serviceChargeIds: [] }
    const { bookingId } = await book(await createQuote(free))
    expect(await invoicesOf(bookingId)).toEqual([])
  })

  it('IV4: concurrent bookings get unique numbers without gaps', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => createQuote()))
    const booked = await Promise.all([...ids, ...ids].map((id) => api('POST', `quotes/${id}/book`, {})))
    expect(booked.filter(({ status }) => status === 200)).toHaveLength(12)
    const { rows } = await pool.query<{ number: number }>(
      `SELECT substr(invoice_number, 4)::integer AS number FROM invoices WHERE invoice_number ~ '^HL-' ORDER BY 1`,
    )
    const numbers = rows.map(({ number }) => number)
    // Number 9 was imported.
    const first = numbers[0] ?? 0
    expect([...numbers, 9].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: numbers.length + 1 }, (_, index) => first + index),
    )
  })
})

describe('the page of an invoice', () => {
  it('IV7: page and PDF show seller, unit prices, net, tax, payments and how to pay', async () => {
    const { bookingId } = await book(await createQuote({ paymentTermsId: 'deposit' }))
    const [, balance] = await invoicesOf(bookingId)
    await api('POST', `invoices/${balance?.id}/payments`, {
      amountCents: 123,
      method: 'Check 17',
      note: 'a note for the company',
      receivedAt: '2026-03-02T12:00:00Z',
    })
    const path = new URL(balance?.url ?? '').pathname
    const page = pageText((await server.call(path)).text)
    const pdf = await fetch(`http://127.0.0.1:${server.port}${path}/pdf`)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    const document = await pdfText(await pdf.arrayBuffer())
    for (const part of [
      'Harbor Light LLC',
      '4 Pier Road',
      'Portland, ME 04101 US',
      'Tax number 12-3456789',
      '$33.33',
      'Two bartenders',
      'Subtotal $147.49',
      'Discount −$12.50',
      'Net $89.99',
      'Tax $6.53',
      'Total $96.52',
      'Payment on March 2, 2026, Check 17 $1.23',
      'Amount due $95.29',
      'By bank transfer to 123.',
      'Thank you!',
    ]) {
      expect(page).toContain(part)
      // Columns of the PDF can come in another order.
      for (const word of part.split(' ')) expect(document).toContain(word)
    }
    for (const text of [page.replaceAll(' ', ''), document]) expect(text).not.toContain('anoteforthecompany')
  })

  it('IV7: shows the due date in UTC if the location is missing', async () => {
    const id = await createQuote({ paymentTermsId: 'later' })
    await pool.query("UPDATE quotes SET location_id = 'gone' WHERE id = $1", [id])
    const [invoice] = await invoicesOf((await book(id)).bookingId)
    expect(invoice?.dueDate).toBe('2099-07-07T23:59:59.999Z')
    expect(pageText((await server.call(new URL(invoice?.url ?? '').pathname)).text)).toContain(
      'Due July 7, 2099',
    )
  })

  it('IV7: answers 404 to the PDF of a modified token', async () => {
    expect((await server.call('/i/nonsense/pdf')).status).toBe(404)
  })
})

describe('a booking', () => {
  it('IV5: undoing it cancels its events, voids its invoices and makes the quote bookable again', async () => {
    const id = await createQuote({ paymentTermsId: 'deposit' })
    await api('POST', `quotes/${id}/send`, {})
    const { bookingId } = await book(id)
    const counter = await pool.query<{ last: string }>(
      `SELECT last_sequence AS last FROM change_counters WHERE company_id = 'c'`,
    )
    const undone = await act(id, 'booking-undone')
    expect(undone.status, undone.text).toBe(200)
    expect(undone.body).toMatchObject({ standing: 'sent', bookingId: null })
    expect((await api('GET', `bookings/${bookingId}?expand[]=events`)).body).toMatchObject({
      canceledAt: expect.any(String) as string,
      events: [{ canceledAt: expect.any(String) as string }],
    })
    expect((await invoicesOf(bookingId)).map(({ status }) => status)).toEqual(['Void', 'Void'])
    const changes = await readChanges(pool, 'c', BigInt(counter.rows[0]?.last ?? 0))
    expect(changes.map(({ type }) => type)).toEqual([
      'quote.updated',
      'booking.canceled',
      'event.canceled',
      'invoice.voided',
      'invoice.voided',
    ])
    expect(changes[0]?.previous).toMatchObject({ bookingId })
    expect((await book(id)).bookingId).not.toBe(bookingId)
  })

  it('IV5: cannot be undone after a payment, but can be canceled once', async () => {
    const id = await createQuote()
    const { bookingId } = await book(id)
    const [invoice] = await invoicesOf(bookingId)
    await api('POST', `invoices/${invoice?.id}/payments`, { amountCents: 1 })
    expect(await act(id, 'booking-undone')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('has payments') as string } },
    })
    expect((await act(id, 'booking-canceled')).status).toBe(200)
    expect((await api('GET', `bookings/${bookingId}?expand[]=events`)).body).toMatchObject({
      canceledAt: expect.any(String) as string,
      events: [{ canceledAt: expect.any(String) as string }],
    })
    expect((await invoicesOf(bookingId))[0]?.status).toBe('PartiallyPaid')
    expect((await act(id, 'booking-canceled')).status).toBe(409)
  })

  it('IV5: cannot be undone once an event has begun', async () => {
    const begun = { serviceStartTime: '2020-07-04T23:00:00Z', serviceEndTime: '2020-07-05T03:00:00Z' }
    const id = await createQuote({ serviceDays: [begun] })
    await book(id)
    expect((await act(id, 'booking-undone')).body).toMatchObject({
      error: { message: expect.stringContaining('has begun') as string },
    })
  })

  it('IV6: undoing and canceling need a booked quote', async () => {
    const id = await createQuote()
    for (const path of ['booking-undone', 'booking-canceled']) expect((await act(id, path)).status).toBe(409)
  })
})
