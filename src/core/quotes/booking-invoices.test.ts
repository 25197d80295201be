import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAYMENT_SCHEDULES } from '../enumerations.ts'
import { planInvoices } from './booking-invoices.ts'
import type { AgreedSale, Terms } from './booking-invoices.ts'

const TERMS: Terms = {
  paymentSchedule: 'DEPOSIT',
  depositType: 'PERCENT',
  depositPercentage: '30',
  depositAmountCents: null,
  invoiceDueDays: 14,
}
const SALE: AgreedSale = {
  totalCents: 10_001,
  taxCents: 801,
  terms: TERMS,
  bookedAt: '2026-05-01T03:30:00.000Z',
  firstStart: '2026-07-04T23:00:00.000Z',
  lastEnd: '2026-07-06T05:00:00.000Z',
  timeZone: 'America/New_York',
}
const plan = (terms: Partial<Terms> | null, sale: Partial<AgreedSale> = {}) =>
  planInvoices({ ...SALE, ...sale, terms: terms === null ? null : { ...TERMS, ...terms } })

describe('the invoices of a booking', () => {
  it('IV1: FULL creates one invoice, due some days after the booking at the end of the day at the location', () => {
    expect(plan({ paymentSchedule: 'FULL', invoiceDueDays: 3 })).toEqual([
      {
        part: 'whole',
        totalCents: 10_001,
        taxCents: 801,
        deductedCents: 0,
        isDraft: false,
        // The booking is on April 30 in New York.
        dueDate: '2026-05-04T03:59:59.999Z',
      },
    ])
  })

  it('IV1: without payment terms the total is due on the day of the booking', () => {
    expect(plan(null)).toMatchObject([{ part: 'whole', dueDate: '2026-05-01T03:59:59.999Z' }])
  })

  it('IV1: INVOICE_ONLY creates one invoice, due some days after the last day', () => {
    expect(plan({ paymentSchedule: 'INVOICE_ONLY' })).toMatchObject([{ dueDate: '2026-07-21T03:59:59.999Z' }])
  })

  it('IV1: CARD_ON_FILE creates one draft', () => {
    expect(plan({ paymentSchedule: 'CARD_ON_FILE' })).toMatchObject([
      { isDraft: true, dueDate: null, totalCents: 10_001 },
    ])
  })

  it('IV2: DEPOSIT creates the deposit, due immediately, and the balance, due some days before the first day', () => {
    expect(plan({})).toMatchObject([
      { part: 'deposit', totalCents: 3_000, taxCents: 240, dueDate: '2026-05-01T03:59:59.999Z' },
      { part: 'balance', totalCents: 7_001, taxCents: 561, deductedCents: 2_760 },
    ])
    expect(plan({})[1]?.dueDate).toBe('2026-06-21T03:59:59.999Z')
  })

  it('IV2: a percentage is rounded half up, and an amount is at most the total', () => {
    expect(plan({ depositPercentage: '50' })[0]?.totalCents).toBe(5_001)
    expect(plan({ depositType: 'AMOUNT', depositAmountCents: 20_000 })).toMatchObject([
      { part: 'whole', totalCents: 10_001, dueDate: '2026-05-01T03:59:59.999Z' },
    ])
  })

  it('IV2: the balance is due today at the earliest', () => {
    expect(plan({ invoiceDueDays: 2_147_483_647 })[1]?.dueDate).toBe('2026-05-01T03:59:59.999Z')
  })

  it('IV2: a deposit of 0 leaves one invoice, due like the balance', () => {
    expect(plan({ depositPercentage: '0' })).toMatchObject([
      { part: 'whole', dueDate: '2026-06-21T03:59:59.999Z' },
    ])
    expect(plan({ depositType: null, depositPercentage: null })).toHaveLength(1)
  })

  it('IV1: an amount of 0 creates no invoice', () => {
    expect(plan({}, { totalCents: 0, taxCents: 0 })).toEqual([])
  })

  it('IV3: invoices add up to the total, the tax and the net amount for any terms', () => {
    const cents = fc.oneof(fc.nat(200), fc.nat(100_000_000_000))
    const percentage = fc
      .nat(100_000_000)
      .map((millionths) => `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`)
    fc.assert(
      fc.property(
        cents,
        cents,
        fc.constantFrom(...PAYMENT_SCHEDULES),
        fc.oneof(
          percentage.map((depositPercentage) => ({ depositType: 'PERCENT' as const, depositPercentage })),
          cents.map((depositAmountCents) => ({ depositType: 'AMOUNT' as const, depositAmountCents })),
        ),
        fc.nat(2_147_483_647),
        (totalCents, tax, paymentSchedule, deposit, invoiceDueDays) => {
          const taxCents = Math.min(totalCents, tax)
          const invoices = plan({ paymentSchedule, ...deposit, invoiceDueDays }, { totalCents, taxCents })
          const sum = (figure: (invoice: (typeof invoices)[number]) => number) =>
            invoices.reduce((all, invoice) => all + figure(invoice), 0)
          expect(sum((invoice) => invoice.totalCents)).toBe(totalCents)
          expect(sum((invoice) => invoice.taxCents)).toBe(taxCents)
          for (const invoice of invoices) {
            expect(invoice.totalCents).toBeGreaterThan(0)
            expect(invoice.taxCents).toBeLessThanOrEqual(invoice.totalCents)
            expect(invoice.dueDate ?? '9999').toMatch(/^\d{4}/)
          }
          const [first, balance] = invoices
          const net = first === undefined ? 0 : first.totalCents - first.taxCents
          expect(balance?.deductedCents ?? net).toBe(net)
        },
      ),
    )
  })
})
