/** Creates a quote with its days and lines, and its lead if the quote is for a new one. */
import { newId } from '../core/ids.ts'
import { linePriceCents, plainQuantity } from '../core/quotes/quote-edit.ts'
import { insertRow } from '../codec/write.ts'
import { findCurrency } from '../records/company/queries.ts'
import { insertLines } from '../records/line-item/queries.ts'
import type { NewLine } from '../records/line-item/queries.ts'
import { deriveCalendar } from '../records/quote/calendar.ts'
import { QUOTE_COLUMNS } from '../records/quote/columns.ts'
import { QUOTE } from '../records/quote/object.ts'
import { findQuote } from '../records/quote/queries.ts'
import { insertServiceDays } from '../records/service-day/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { insertLead } from './create-lead.ts'
import type { LineInput, NewQuoteInput } from './quote-input.ts'
import { checkReferences } from './references.ts'
import { subjectOf } from './subjects.ts'

export const createQuote = defineAction({
  name: 'createQuote',
  lock: 'last',
  run: async (transaction, input: NewQuoteInput) => {
    const { db, companyId, presentation, record } = transaction
    const currency = input.currency ?? (await findCurrency(db, companyId))
    await checkReferences(transaction, input, { currency })
    const { lead, leadId, serviceDays = [], lines = [], ...members } = input
    const id = newId('quote')
    await insertRow(db, QUOTE_COLUMNS, companyId, {
      ...members,
      id,
      currency,
      leadId: leadId ?? (await insertLead(transaction, lead ?? {})).id,
    })
    await insertDaysAndLines(transaction, id, serviceDays, lines)
    const row = await findQuote(db, companyId, id)
    if (row === null) throw new Error('the new quote is missing')
    const quote = QUOTE.present(row, presentation)
    record('quote.created', null, subjectOf(quote))
    return quote
  },
})

async function insertDaysAndLines(
  { db, companyId }: ActionTransaction,
  quoteId: string,
  serviceDays: NonNullable<NewQuoteInput['serviceDays']>,
  lines: readonly LineInput[],
): Promise<void> {
  const days = serviceDays.map((day) => ({ ...day, id: newId('day') }))
  const all = [
    ...days.flatMap(({ id, lines: ofDay = [] }) => ofDay.map((line) => newLine(line, id))),
    ...lines.map((line) => newLine(line, null)),
  ]
  if (days.length > 0) {
    await insertServiceDays(db, companyId, quoteId, days)
    await deriveCalendar(db, companyId, quoteId)
  }
  if (all.length > 0) await insertLines(db, companyId, quoteId, all)
}

function newLine(line: LineInput, serviceDayId: string | null): NewLine {
  const { quantity = '1', unitPriceCents = null } = line
  const priceCents = line.priceCents ?? linePriceCents(quantity, unitPriceCents ?? 0)
  if (priceCents === null) throw new Error('a line without a price')
  return {
    id: newId('line'),
    serviceDayId,
    kind: line.kind,
    serviceId: line.serviceId ?? null,
    addonId: line.addonId ?? null,
    description: line.description ?? null,
    quantity: plainQuantity(quantity),
    unitPriceCents,
    priceCents,
    taxable: line.taxable ?? true,
    discountId: line.discountId ?? null,
  }
}
