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

describe('O15: invoice status, the first that holds', () => {
  it.each<[status: string, due: number, why: string, overrides: Partial<Facts>]>([
    ['Open', 10_000, 'issued, nothing paid, not due yet', {}],
    ['Open', 10_000, 'no due date', { dueDate: null }],
    ['Open', 10_000, 'due this very millisecond: not passed', { dueDate: NOW }],
    ['PartiallyPaid', 9_999, 'something paid', { amountPaid: 1 }],
    ['PartiallyPaid', 1, 'nearly all paid, no due date', { amountPaid: 9_999, dueDate: null }],
    ['Overdue', 10_000, 'due date passed', { dueDate: PAST }],
    ['Overdue', 4_000, 'due date passed, before something paid', { dueDate: PAST, amountPaid: 6_000 }],
    ['Paid', 0, 'all paid', { amountPaid: 10_000 }],
    ['Paid', 0, 'all paid, before due date passed', { amountPaid: 10_000, dueDate: PAST }],
    ['Paid', 0, 'more than all paid', { amountPaid: 12_000 }],
    ['Paid', 0, 'nothing to pay', { total: 0 }],
    ['Draft', 10_000, 'not issued', { issuedAt: null }],
    ['Draft', 10_000, 'not issued, before due date passed', { issuedAt: null, dueDate: PAST }],
    ['Draft', 0, 'not issued, before all paid', { issuedAt: null, amountPaid: 10_000 }],
    ['Draft', 0, 'not issued, nothing to pay', { issuedAt: null, total: 0 }],
    ['Draft', 9_000, 'not issued, before something paid', { issuedAt: null, amountPaid: 1_000 }],
    ['Void', 0, 'voided', { voidedAt: PAST }],
    ['Void', 0, 'voided, whatever its value', { voidedAt: FUTURE }],
    ['Void', 0, 'voided, before not issued', { voidedAt: PAST, issuedAt: null }],
    ['Void', 0, 'voided, before all paid', { voidedAt: PAST, amountPaid: 10_000 }],
    ['Void', 0, 'voided, before overdue', { voidedAt: PAST, dueDate: PAST }],
    ['Void', 0, 'voided, before something paid', { voidedAt: PAST, amountPaid: 1 }],
    ['Open', 10_000, 'a date of issue to come counts as issued', { issuedAt: FUTURE }],
  ])('%s, due %i: %s', (status, amountDue, _why, overrides) => {
    expect(deriveInvoice(facts(overrides), NOW)).toEqual({ status, amountDue })
  })

  it('years far apart compare as times', () => {
    expect(deriveInvoice(facts({ dueDate: '0001-01-01T00:00:00.000Z' }), NOW).status).toBe('Overdue')
    expect(deriveInvoice(facts({ dueDate: '9999-12-31T23:59:59.999Z' }), NOW).status).toBe('Open')
  })

  it('amountDue is total less amountPaid, never below 0, and 0 when void', () => {
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
