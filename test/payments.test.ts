/** POST /invoices/{id}/payments. */
import { describe, expect, it } from 'vitest'
import { checkDerived, repairDerived } from '../src/world/derived.ts'
import { readChanges } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, createQuoteApi, plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { exportText, importValid, MINIMAL } from './support/world.ts'
import { errorOf, poster } from './support/writes.ts'

const { pool, connection, server } = await createQuoteApi()
const post = poster(server)
await plant(pool, 'bookings', 'co_1', 'book')

const EARLIER = '2026-01-01T00:00:00.000Z'
let planted = 0

/** An issued invoice of 100.00. */
async function plantInvoice(row: Row = {}): Promise<string> {
  const id = `inv_${++planted}`
  await plant(pool, 'invoices', 'co_1', id, {
    booking_id: 'book',
    total_cents: 10_000,
    issued_at: EARLIER,
    updated_at: EARLIER,
    ...row,
  })
  return id
}
const get = async (id: string) => (await server.get(`/api/invoices/${id}`, KEY)).body
const pay = (id: string, body: object, options = {}) => post(`/api/invoices/${id}/payments`, body, options)
const paymentsOf = async (id: string) => {
  const { rows } = await pool.query<Row>(
    `SELECT amount_cents::int, method, note, received_at FROM payments
    WHERE company_id = 'co_1' AND invoice_id = $1 ORDER BY created_at, id`,
    [id],
  )
  return rows
}
const changesOf = async (id: string) =>
  (await readChanges(pool)).filter(({ subject }) => subject === `invoice ${id}`)

describe('M1: POST /invoices/{id}/payments', () => {
  it('M1, M3, W2: records a partial payment, then the rest', async () => {
    const id = await plantInvoice({ amount_paid_cents: 1_000 })
    const first = await pay(id, {
      amountCents: 4_000,
      method: 'Check',
      note: 'No. 7',
      receivedAt: '2026-02-01T00:00:00.1239Z',
    })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ id, amountPaid: 5_000, amountDue: 5_000, status: 'PartiallyPaid' })
    expect(first.body).not.toHaveProperty('updatedAt', EARLIER)
    expect(await get(id)).toEqual(first.body)
    const second = await pay(id, { amountCents: 5_000, method: null })
    expect(second.body).toMatchObject({ amountPaid: 10_000, amountDue: 0, status: 'Paid' })
    expect(await paymentsOf(id)).toEqual([
      {
        amount_cents: 4_000,
        method: 'Check',
        note: 'No. 7',
        received_at: '2026-02-01 00:00:00.123+00',
      },
      { amount_cents: 5_000, method: null, note: null, received_at: expect.any(String) },
    ])
    expect(await changesOf(id)).toMatchObject([
      {
        type: 'invoice.updated',
        data: { object: first.body },
        previous: { amountPaid: 1_000, amountDue: 9_000 },
      },
      {
        type: 'invoice.paid',
        data: { object: second.body },
        previous: { amountPaid: 5_000, amountDue: 5_000, status: 'PartiallyPaid' },
      },
    ])
  })

  it('M1: counts in lists by status, in expansions and on the invoice page', async () => {
    await plant(pool, 'bookings', 'co_1', 'other')
    const id = await plantInvoice({ booking_id: 'other' })
    const paid = async (status: string) => {
      const { body } = await server.get(`/api/invoices?booking_id=other&status=${status}`, KEY)
      return (body as { data: object[] }).data.length
    }
    expect(await paid('Open')).toBe(1)
    await pay(id, { amountCents: 2_500 })
    expect([await paid('Open'), await paid('PartiallyPaid')]).toEqual([0, 1])
    await pay(id, { amountCents: 7_500 })
    expect([await paid('PartiallyPaid'), await paid('Paid')]).toEqual([0, 1])
    const { body } = await server.get('/api/bookings/other?expand[]=invoices', KEY)
    const { invoices } = body as { invoices: { url: string; amountPaid: number }[] }
    expect(invoices).toMatchObject([{ amountPaid: 10_000 }])
    const [invoice] = invoices
    const page = await server.call(new URL(invoice?.url ?? '').pathname)
    expect(page.text).toContain('<th scope="row">Paid</th><td>$100.00</td>')
  })

  it('W10: records one payment per key', async () => {
    const id = await plantInvoice()
    const headers = { 'idempotency-key': 'pay' }
    const answers = await Promise.all([1, 2, 3].map(() => pay(id, { amountCents: 100 }, { headers })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await paymentsOf(id)).length).toBe(1)
  })

  it('M2: concurrent payments do not exceed the amount due', async () => {
    const id = await plantInvoice()
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(id, { amountCents: 3_000 })))
    expect(answers.filter(({ status }) => status === 200).length).toBe(3)
    expect(answers.filter(({ status }) => status === 409).length).toBe(5)
    expect(await get(id)).toMatchObject({ amountPaid: 9_000, amountDue: 1_000 })
  })

  it.each<[object, string, string | RegExp]>([
    [{}, 'amountCents', 'amountCents is required'],
    [{ amountCents: 0 }, 'amountCents', /from 1 to/],
    [{ amountCents: 1.5 }, 'amountCents', /integer/],
    [{ amountCents: '1' }, 'amountCents', /integer/],
    [{ amountCents: 1, method: 5 }, 'method', /string/],
    [{ amountCents: 1, receivedAt: 'today' }, 'receivedAt', /ISO 8601/],
    [{ amountCents: 1, reversedAt: null }, 'reversedAt', /not a known/],
  ])('W4: rejects %j', async (body, param, message) => {
    const id = await plantInvoice()
    const error = errorOf(await pay(id, body))
    expect(error).toMatchObject({ status: 400, param, message: expect.stringMatching(message) })
    expect(await paymentsOf(id)).toEqual([])
  })

  it.each<[Row, string]>([
    [{ voided_at: EARLIER, issued_at: null }, 'invoice_void'],
    [{ issued_at: null }, 'invoice_draft'],
    [{ amount_paid_cents: 1 }, 'payment_exceeds_due'],
    [{ total_cents: 0 }, 'payment_exceeds_due'],
  ])('M2: rejects a payment of an invoice with %j as %s', async (row, code) => {
    const id = await plantInvoice(row)
    const error = errorOf(await pay(id, { amountCents: 10_000 }))
    expect(error).toMatchObject({ status: 409, type: 'conflict_error', code })
    expect(error).not.toHaveProperty('param')
    expect(await changesOf(id)).toEqual([])
  })

  it('W6: is 404 for an invoice of another company', async () => {
    const id = await plantInvoice()
    for (const [path, options] of [
      [id, { key: OTHER_KEY }],
      ['unknown', {}],
      ['%00', {}],
    ] as const) {
      expect(errorOf(await pay(path, { amountCents: 1 }, options))).toMatchObject({
        status: 404,
        message: 'Invoice not found',
        param: 'id',
      })
    }
  })
})

describe('payments in worlds', () => {
  const { company, apiKey, booking, invoice, payment } = MINIMAL
  const world = [company, apiKey, booking, { ...invoice, amountPaidCents: 30, issuedAt: EARLIER }]
  const paid = async (target: Awaited<ReturnType<typeof createDatabase>>) => {
    const { rows } = await target.pool.query<Row>(
      'SELECT id, amount_paid_cents::int AS imported, payments_cents::int AS payments FROM invoices ORDER BY id',
    )
    return rows
  }
  const report = async (target: Awaited<ReturnType<typeof createDatabase>>) => {
    const findings: string[] = []
    await checkDerived(target.connection, (finding) => findings.push(finding))
    return findings
  }

  it('M1: adds the payments that are not reversed at every import, and exports the imported amount', async () => {
    const target = await createDatabase()
    const reversed = { ...payment, id: 'back', reversedAt: EARLIER }
    await importValid(target.connection, [...world, payment, reversed])
    expect(await paid(target)).toEqual([{ id: 'inv', imported: 30, payments: 10 }])
    const text = await exportText(target.connection)
    expect(text).toContain('"amountPaidCents":30')
    await importValid(target.connection, world)
    expect(await paid(target)).toEqual([{ id: 'inv', imported: 30, payments: 10 }])
    const other = { ...invoice, id: 'other' }
    await importValid(target.connection, [other, { ...payment, invoiceId: 'other', amountCents: 7 }])
    expect(await paid(target)).toEqual([
      { id: 'inv', imported: 30, payments: 0 },
      { id: 'other', imported: 0, payments: 7 },
    ])
    expect(await report(target)).toEqual([])
    const copy = await createDatabase()
    const exported = await exportText(target.connection)
    await importValid(
      copy.connection,
      exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row),
    )
    expect(await exportText(copy.connection)).toBe(exported)
    expect(await paid(copy)).toEqual(await paid(target))
  })

  it('doctor reports and repairs a wrong sum of payments', async () => {
    await pool.query(`UPDATE invoices SET payments_cents = 5 WHERE company_id = 'co_1' AND id = 'inv_1'`)
    const findings: string[] = []
    expect(await checkDerived(connection, (finding) => findings.push(finding))).toBe(1)
    expect(findings).toEqual(['company "co_1", invoice "inv_1": payments_cents does not match the payments'])
    expect(await repairDerived(connection)).toBe(1)
    expect(await checkDerived(connection, () => undefined)).toBe(0)
  })
})
