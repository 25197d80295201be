/** Stores a new quote with its number, days and lines, and records it. Callers must lock the company first. */
import { newId } from '../core/ids.ts'
import type { QuoteContent, QuoteLine } from '../core/quotes/quote-edit.ts'
import type { ServiceDay } from '../core/quotes/quote-details.ts'
import { insertRow } from '../codec/write.ts'
import { takeDocumentNumber } from '../records/company/queries.ts'
import { insertLines } from '../records/line-item/queries.ts'
import { deriveCalendar } from '../records/quote/calendar.ts'
import { QUOTE_COLUMNS } from '../records/quote/columns.ts'
import { QUOTE } from '../records/quote/object.ts'
import { findQuote } from '../records/quote/queries.ts'
import { insertServiceDays } from '../records/service-day/queries.ts'
import type { ActionTransaction } from './action.ts'
import { subjectOf } from './subjects.ts'

type Members = Partial<Omit<QuoteContent, 'serviceDays' | 'lines'>>

export interface NewQuote {
  members: { [Name in keyof Members]: Members[Name] | undefined } & {
    currency: string
    expiresAt?: string | null | undefined
  }
  /** Their ids are those that lines refer to. They get new ones. */
  serviceDays: readonly ServiceDay[]
  lines: readonly QuoteLine[]
}

export async function insertQuote(
  { db, companyId, presentation, record }: ActionTransaction,
  { members, serviceDays, lines }: NewQuote,
) {
  const id = newId('quote')
  const number = await takeDocumentNumber(db, companyId, 'quote')
  await insertRow(db, QUOTE_COLUMNS, companyId, { ...members, id, number })
  const dayIds = new Map(serviceDays.map((day) => [day.id, newId('day')]))
  if (serviceDays.length > 0) {
    const days = serviceDays.map((day) => ({ ...day, id: dayIds.get(day.id) ?? day.id }))
    await insertServiceDays(db, companyId, id, days)
    await deriveCalendar(db, companyId, id)
  }
  if (lines.length > 0) {
    const rows = lines.map((line, position) => ({
      ...line,
      id: newId('line'),
      position,
      serviceDayId: line.serviceDayId === null ? null : (dayIds.get(line.serviceDayId) ?? null),
    }))
    await insertLines(db, companyId, id, rows)
  }
  const row = await findQuote(db, companyId, id)
  if (row === null) throw new Error('the new quote is missing')
  const quote = QUOTE.present(row, presentation)
  record('quote.created', null, subjectOf(quote))
  return quote
}
