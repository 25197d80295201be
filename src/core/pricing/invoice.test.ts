import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveInvoice } from './invoice.ts'

const NOW = '2026-06-15T12:00:00.000Z'
const PAST = '2026-06-15T11:59:59.999Z'
const FUTURE = '2026-06-15T12:00:00.001Z'
const ISSUED = '2026-06-01T09:00:00.000Z'

type Facts = Parameters<typeof deriveInvoice>[0]

const facts = (overrides: Partial<Facts>): Facts => ({
  total: 10_000,
  amountPaid: 0,
  issuedAt: ISSUED,
  dueDate: FUTURE,
  voidedAt: null,
  ...overrides,
})

describe('O15: invoice status, the first that applies', () => {
  it.each<[status: string, due: number, reason: string, overrides: Partial<Facts>]>([
    ['Open', 10_000, 'issued, nothing paid, not due yet', {}],
    ['Open', 10_000, 'no due date', { dueDate: null }],
    ['Open', 10_000, 'due exactly now', { dueDate: NOW }],
    ['PartiallyPaid', 9_999, 'partially paid', { amountPaid: 1 }],
    ['PartiallyPaid', 1, 'partially paid, no due date', { amountPaid: 9_999, dueDate: null }],
    ['Overdue', 10_000, 'due date passed', { dueDate: PAST }],
    ['Overdue', 4_000, 'due date passed, although partially paid', { dueDate: PAST, amountPaid: 6_000 }],
    ['Paid', 0, 'fully paid', { amountPaid: 10_000 }],
    ['Paid', 0, 'fully paid, although due date passed', { amountPaid: 10_000, dueDate: PAST }],
    ['Paid', 0, 'overpaid', { amountPaid: 12_000 }],
    ['Paid', 0, 'nothing to pay', { total: 0 }],
    ['Draft', 10_000, 'not issued', { issuedAt: null }],
    ['Draft', 10_000, 'not issued, although due date passed', { issuedAt: null, dueDate: PAST }],
    ['Draft', 0, 'not issued, although fully paid', { issuedAt: null, amountPaid: 10_000 }],
    ['Draft', 0, 'not issued, nothing to pay', { issuedAt: null, total: 0 }],
    ['Draft', 9_000, 'not issued, although partially paid', { issuedAt: null, amountPaid: 1_000 }],
    ['Void', 0, 'voided', { voidedAt: PAST }],
    ['Void', 0, 'voided in the future', { voidedAt: FUTURE }],
    ['Void', 0, 'voided, although not issued', { voidedAt: PAST, issuedAt: null }],
    ['Void', 0, 'voided, although fully paid', { voidedAt: PAST, amountPaid: 10_000 }],
    ['Void', 0, 'voided, although overdue', { voidedAt: PAST, dueDate: PAST }],
    ['Void', 0, 'voided, although partially paid', { voidedAt: PAST, amountPaid: 1 }],
    ['Open', 10_000, 'issued in the future', { issuedAt: FUTURE }],
  ])('is %s with amountDue %i: %s', (status, amountDue, _, overrides) => {
    expect(deriveInvoice(facts(overrides), NOW)).toEqual({ status, amountDue })
  })

  it('compares times of distant years', () => {
    expect(deriveInvoice(facts({ dueDate: '0001-01-01T00:00:00.000Z' }), NOW).status).toBe('Overdue')
    expect(deriveInvoice(facts({ dueDate: '9999-12-31T23:59:59.999Z' }), NOW).status).toBe('Open')
  })

  it('amountDue is total less amountPaid, at least 0, and 0 if void', () => {
    const time = fc.constantFrom(null, PAST, NOW, FUTURE)
    const invoice = fc.record({
      total: fc.nat(20),
      amountPaid: fc.nat(20),
      issuedAt: time,
      dueDate: time,
      voidedAt: fc.constantFrom(null, null, PAST),
    })
    fc.assert(
      fc.property(invoice, (made) => {
        const { status, amountDue } = deriveInvoice(made, NOW)
        expect(amountDue).toBe(made.voidedAt === null ? Math.max(0, made.total - made.amountPaid) : 0)
        const owesNothing = amountDue === 0
        const allowed = owesNothing
          ? ['Void', 'Draft', 'Paid']
          : ['Draft', 'Overdue', 'PartiallyPaid', 'Open']
        expect(allowed).toContain(status)
      }),
    )
  })
})
