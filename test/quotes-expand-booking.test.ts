import { describe, expect, it } from 'vitest'
import { createInvoiceTokens } from '../src/core/security/invoice-token.ts'
import { plant } from './support/quotes.ts'
import type { Row } from './support/quotes.ts'
import { createExpandApi, ids } from './support/quotes-expand.ts'

const { pool, get, quoteWith, member } = await createExpandApi()

describe('O13: booking', () => {
  it('has all its fields', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_full', {
      quote_id: 'q_other',
      lead_id: 'lead_nowhere',
      event_type_id: 'type_nowhere',
      full_name: 'Ada Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      entity_to_invoice: 'Harbor Ltd',
      payment_method: 'CARD',
      billing_notes: 'Net 14',
      card_on_file: true,
      currency: 'KWD',
      total_price_cents: 100_000_000_000,
      gratuity_amount_cents: 5_000,
      canceled_at: '2026-03-01T00:00:00Z',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
    })
    await quoteWith('q_booking', { booking_id: 'b_full' })
    expect(await member('q_booking', 'booking')).toEqual({
      object: 'booking',
      id: 'b_full',
      quoteId: 'q_other',
      leadId: 'lead_nowhere',
      eventTypeId: 'type_nowhere',
      fullName: 'Ada Lindqvist',
      email: 'ada@example.com',
      phone: '+1 555',
      entityToInvoice: 'Harbor Ltd',
      paymentMethod: 'CARD',
      billingNotes: 'Net 14',
      cardOnFile: true,
      currency: { isoCode: 'KWD' },
      totalPriceCents: 100_000_000_000,
      gratuityAmountCents: 5_000,
      canceledAt: '2026-03-01T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    })
  })

  it('has null for unset fields', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_bare', {
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    })
    await quoteWith('q_bare_booking', { booking_id: 'b_bare' })
    const empty = {
      quoteId: null,
      leadId: null,
      eventTypeId: null,
      fullName: null,
      email: null,
      phone: null,
      entityToInvoice: null,
      paymentMethod: null,
      billingNotes: null,
      gratuityAmountCents: null,
      canceledAt: null,
    }
    expect(await member('q_bare_booking', 'booking')).toMatchObject({
      ...empty,
      cardOnFile: false,
      totalPriceCents: 0,
    })
  })

  it('O13: expands the contact and event type of the booking, not of the quote, or null', async () => {
    await plant(pool, 'leads', 'co_1', 'lead_q', { first_name: 'Quote' })
    await plant(pool, 'leads', 'co_1', 'lead_b', { first_name: 'Booking' })
    await plant(pool, 'event_types', 'co_1', 'type_b', { name: 'Of the booking' })
    await plant(pool, 'bookings', 'co_1', 'b_own', { lead_id: 'lead_b', event_type_id: 'type_b' })
    await quoteWith('q_own', { lead_id: 'lead_q', booking_id: 'b_own' })
    expect(await get('q_own', 'expand[]=lead,eventType,booking.lead,booking.eventType')).toMatchObject({
      lead: { name: 'Quote' },
      eventType: null,
      booking: {
        lead: { object: 'lead', name: 'Booking' },
        eventType: { object: 'eventType', name: 'Of the booking' },
      },
    })
    expect(await get('q_booking', 'expand[]=booking.lead,booking.eventType')).toMatchObject({
      booking: { lead: null, eventType: null },
    })
  })
})

/** The public URL of an invoice. */
const urlOf = (id: string) =>
  `http://127.0.0.1:3000/i/${createInvoiceTokens('a secret for tests').seal({ companyId: 'co_1', invoiceId: id })}`

describe('O15: booking.invoices', () => {
  const PAST = '2026-01-01T00:00:00Z'
  const FUTURE = '2999-01-01T00:00:00Z'

  it('have all their fields, and a stable URL of exactly this invoice', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_inv')
    await quoteWith('q_inv', { booking_id: 'b_inv' })
    await plant(pool, 'invoices', 'co_1', 'i_full', {
      booking_id: 'b_inv',
      lead_id: 'lead_i',
      invoice_number: 'INV-7',
      description: 'Deposit',
      notes: 'Thank you',
      po_number: 'PO-1',
      currency: 'EUR',
      total_cents: 10_000,
      amount_paid_cents: 2_500,
      issued_at: PAST,
      due_date: FUTURE,
      lines: JSON.stringify([{ description: 'SECRET LINE', quantity: 2, amountCents: 5_000 }]),
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-02T00:00:00Z',
    })
    await plant(pool, 'invoices', 'co_1', 'i_bare', {
      booking_id: 'b_inv',
      created_at: '2026-01-03T00:00:00Z',
      updated_at: '2026-01-03T00:00:00Z',
    })
    const invoices = await member('q_inv', 'booking.invoices')
    expect(invoices).toEqual([
      {
        object: 'invoice',
        id: 'i_full',
        bookingId: 'b_inv',
        leadId: 'lead_i',
        invoiceNumber: 'INV-7',
        description: 'Deposit',
        notes: 'Thank you',
        poNumber: 'PO-1',
        status: 'PartiallyPaid',
        currency: { isoCode: 'EUR' },
        total: 10_000,
        amountPaid: 2_500,
        amountDue: 7_500,
        dueDate: '2999-01-01T00:00:00.000Z',
        voidedAt: null,
        url: urlOf('i_full'),
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
      },
      {
        object: 'invoice',
        id: 'i_bare',
        bookingId: 'b_inv',
        leadId: null,
        invoiceNumber: 'INV-1',
        description: null,
        notes: null,
        poNumber: null,
        status: 'Draft',
        currency: { isoCode: 'USD' },
        total: 0,
        amountPaid: 0,
        amountDue: 0,
        dueDate: null,
        voidedAt: null,
        url: urlOf('i_bare'),
        createdAt: '2026-01-03T00:00:00.000Z',
        updatedAt: '2026-01-03T00:00:00.000Z',
      },
    ])
    expect(await member('q_inv', 'booking.invoices')).toEqual(invoices)
    expect(JSON.stringify(invoices)).not.toContain('SECRET')
  })

  it.each<[status: string, due: number, row: Row]>([
    ['Void', 0, { voided_at: PAST, issued_at: PAST, due_date: PAST, amount_paid_cents: 400 }],
    ['Void', 0, { voided_at: FUTURE }],
    ['Draft', 1_000, { due_date: PAST }],
    ['Draft', 0, { amount_paid_cents: 1_000 }],
    ['Paid', 0, { issued_at: PAST, amount_paid_cents: 1_000, due_date: PAST }],
    ['Paid', 0, { issued_at: PAST, amount_paid_cents: 5_000 }],
    ['Overdue', 1_000, { issued_at: PAST, due_date: PAST }],
    ['Overdue', 1, { issued_at: PAST, due_date: PAST, amount_paid_cents: 999 }],
    ['PartiallyPaid', 999, { issued_at: PAST, due_date: FUTURE, amount_paid_cents: 1 }],
    ['PartiallyPaid', 999, { issued_at: PAST, amount_paid_cents: 1 }],
    ['Open', 1_000, { issued_at: PAST, due_date: FUTURE }],
    ['Open', 1_000, { issued_at: PAST }],
  ])('O15: have status %s and amountDue %i of 1000 with %j', async (status, amountDue, row) => {
    const id = `invoice ${JSON.stringify(row)}`
    await plant(pool, 'bookings', 'co_1', id)
    await quoteWith(id, { booking_id: id })
    await plant(pool, 'invoices', 'co_1', id, { booking_id: id, total_cents: 1_000, ...row })
    expect(await member(id, 'booking.invoices')).toMatchObject([{ status, amountDue, total: 1_000 }])
  })

  it('are ordered by createdAt, then id', async () => {
    await plant(pool, 'bookings', 'co_1', 'b_order')
    await quoteWith('q_inv_order', { booking_id: 'b_order' })
    for (const [id, createdAt, number] of [
      ['n_z', '2026-01-01T00:00:00.001Z', 'INV-1'],
      ['n_é', '2026-01-01T00:00:00Z', 'INV-2'],
      ['n_a', '2026-01-01T00:00:00Z', 'INV-3'],
      ['n_B', '2026-01-01T00:00:00Z', 'INV-4'],
      ['n_9', '2025-01-01T00:00:00Z', 'INV-5'],
    ]) {
      await plant(pool, 'invoices', 'co_1', id ?? '', {
        booking_id: 'b_order',
        created_at: createdAt,
        invoice_number: number,
      })
    }
    expect(ids(await member('q_inv_order', 'booking.invoices'))).toEqual(['n_9', 'n_B', 'n_a', 'n_é', 'n_z'])
  })
})
