/** Display names for the enumerated values of quotes. */
import type { LineKind, LostReason, PaymentSchedule } from '../../../src/core/enumerations.ts'
import type { Exclusion } from '../../../src/core/pricing/price-total.ts'
import type { QuoteLine, QuotePricing } from '../../../src/core/pricing/quote-pricing.ts'
import type { QuoteState } from '../../../src/core/quotes/quote-state.ts'
import { formatMoney } from '../format.ts'

export const STATE_WORDS: Record<QuoteState, string> = {
  draft: 'Draft',
  sent: 'Sent',
  booked: 'Booked',
  lost: 'Lost',
  expired: 'Expired',
}

export const LOST_WORDS: Record<LostReason, string> = {
  PRICE: 'Price too high',
  DATE_UNAVAILABLE: 'Date not available',
  WENT_SILENT: 'Customer stopped responding',
  CHOSE_COMPETITOR: 'Customer chose a competitor',
  OTHER: 'Other reason',
}

export const KIND_WORDS: Record<LineKind, string> = {
  SERVICE: 'Service',
  ADDON: 'Add-on',
  CUSTOM: 'Custom',
}

export const SCHEDULE_WORDS: Record<PaymentSchedule, string> = {
  DEPOSIT: 'Deposit',
  FULL: 'Full payment',
  CARD_ON_FILE: 'Card on file',
  INVOICE_ONLY: 'Invoice only',
}

/** The name of a line's item, or its description. */
export function lineName({ itemName, description, kind }: QuoteLine): string {
  const named = [itemName, description].find((text) => text !== null && text.trim() !== '')
  return named ?? `${KIND_WORDS[kind]} line`
}

export interface NotCounted {
  key: string
  what: string
  why: string
}

/** Why an attached definition has no effect. */
export function explainExclusion(
  { subject, id, lineId, reason }: Exclusion,
  pricing: QuotePricing,
): NotCounted {
  const key = `${subject} ${lineId} ${id}`
  const line = pricing.lines.find((one) => one.id === lineId)
  const onLine = line === undefined ? '' : ` on “${lineName(line)}”`
  if (subject === 'LINE') {
    const item = line?.kind === 'ADDON' ? 'add-on' : 'service'
    const what =
      line === undefined ? 'A line' : `${lineName(line)}, ${formatMoney(line.priceCents, pricing.currency)}`
    return { key, what, why: `Its ${item} no longer exists.` }
  }
  const attached = definitionOf(subject, id, line, pricing)
  const what = SUBJECT_WORDS[subject]
  const named = attached?.found === true ? `${what} “${attached.name}”${onLine}` : `${what}${onLine}`
  if (reason === 'NOT_FOUND') return { key, what: named, why: `It no longer exists.` }
  const currency = attached?.found === true && 'currency' in attached ? attached.currency : null
  const why = `This is an amount in ${currency ?? 'another currency'}, but the quote is in ${pricing.currency}. Amounts are not converted.`
  return { key, what: named, why }
}

const SUBJECT_WORDS: Record<Exclude<Exclusion['subject'], 'LINE'>, string> = {
  LINE_DISCOUNT: 'Discount',
  QUOTE_DISCOUNT: 'Discount on the quote',
  SERVICE_CHARGE: 'Service charge',
  TAX_RATE: 'Tax rate',
}

function definitionOf(
  subject: keyof typeof SUBJECT_WORDS,
  id: string,
  line: QuoteLine | undefined,
  { discount, serviceCharges, taxRate }: QuotePricing,
) {
  const attached = {
    LINE_DISCOUNT: line?.discount,
    QUOTE_DISCOUNT: discount,
    SERVICE_CHARGE: serviceCharges.find((charge) => charge.id === id),
    TAX_RATE: taxRate,
  }
  return attached[subject]
}
