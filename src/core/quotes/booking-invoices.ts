/** Plans the invoices of a booking according to its payment terms. They add up to the total, tax included. */
import type { PaymentSchedule, ValueType } from '../enumerations.ts'
import { allocate, min, parseCents, parsePercent, percentOf, toNumber } from '../pricing/money.ts'
import { addDays, localDay } from '../schedule/agenda.ts'
import { instantAt } from '../schedule/local-time.ts'

export interface Terms {
  paymentSchedule: PaymentSchedule
  depositType: ValueType | null
  depositPercentage: string | null
  depositAmountCents: number | null
  invoiceDueDays: number
}

export interface AgreedSale {
  totalCents: number
  taxCents: number
  /** Null: the whole amount is due at once. */
  terms: Terms | null
  /** ISO times in UTC. */
  bookedAt: string
  firstStart: string
  lastEnd: string
  /** Of the location. */
  timeZone: string
}

export interface PlannedInvoice {
  part: 'whole' | 'deposit' | 'balance'
  totalCents: number
  taxCents: number
  /** The net amount of the deposit, on the invoice of the balance. */
  deductedCents: number
  isDraft: boolean
  /** The last millisecond of a day. Null for a draft. */
  dueDate: string | null
}

const AT_ONCE: Terms = {
  paymentSchedule: 'FULL',
  depositType: null,
  depositPercentage: null,
  depositAmountCents: null,
  invoiceDueDays: 0,
}

export function planInvoices(sale: AgreedSale): PlannedInvoice[] {
  const { totalCents, taxCents, terms } = sale
  if (totalCents === 0) return []
  const { paymentSchedule, invoiceDueDays: days } = terms ?? AT_ONCE
  const whole = { part: 'whole', totalCents, taxCents, deductedCents: 0, isDraft: false } as const
  const due = (from: string, after: number) =>
    endOfDay(addDays(localDay(Date.parse(from), sale.timeZone), after), sale.timeZone)
  if (paymentSchedule === 'FULL') return [{ ...whole, dueDate: due(sale.bookedAt, days) }]
  if (paymentSchedule === 'INVOICE_ONLY') return [{ ...whole, dueDate: due(sale.lastEnd, days) }]
  if (paymentSchedule === 'CARD_ON_FILE') return [{ ...whole, isDraft: true, dueDate: null }]
  return depositAndBalance(sale, {
    deposit: due(sale.bookedAt, 0),
    balance: later(due(sale.bookedAt, 0), due(sale.firstStart, -days)),
  })
}

function depositAndBalance(
  { totalCents, taxCents, terms }: AgreedSale,
  dueDates: { deposit: string; balance: string },
): PlannedInvoice[] {
  const total = parseCents(totalCents)
  const deposit = depositOf(total, terms ?? AT_ONCE)
  const balance = total - deposit
  const [depositTax = 0n, balanceTax = 0n] = allocate(parseCents(taxCents), [deposit, balance])
  const invoice = (part: PlannedInvoice['part'], amount: bigint, tax: bigint, deducted = 0n) => ({
    part,
    totalCents: toNumber(amount),
    taxCents: toNumber(tax),
    deductedCents: toNumber(deducted),
    isDraft: false,
  })
  if (deposit === 0n) return [{ ...invoice('whole', total, balanceTax), dueDate: dueDates.balance }]
  if (balance === 0n) return [{ ...invoice('whole', total, depositTax), dueDate: dueDates.deposit }]
  return [
    { ...invoice('deposit', deposit, depositTax), dueDate: dueDates.deposit },
    { ...invoice('balance', balance, balanceTax, deposit - depositTax), dueDate: dueDates.balance },
  ]
}

function depositOf(total: bigint, { depositType, depositPercentage, depositAmountCents }: Terms): bigint {
  // Imported terms can lack the deposit.
  if (depositType === null) return 0n
  const deposit =
    depositType === 'PERCENT'
      ? percentOf(total, parsePercent(depositPercentage))
      : parseCents(depositAmountCents)
  return min(deposit, total)
}

const later = (a: string, b: string) => (a < b ? b : a)

function endOfDay(day: string, timeZone: string): string {
  const next = instantAt(addDays(day, 1), '00:00', timeZone)
  if (next === null) throw new RangeError(`Not a day: ${day}`)
  return new Date(Date.parse(next) - 1).toISOString()
}
