/** Saves an edited quote: the event, its days, lines and terms. Only the differences are written. */
import { isDeepStrictEqual } from 'node:util'
import { USERS } from '../core/callers.ts'
import { literal, sql } from '../db/sql.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { FieldErrors } from '../core/requests/errors.ts'
import { DETAILS } from '../core/quotes/quote-details.ts'
import { findDayChanges, findLineChanges } from '../core/quotes/quote-changes.ts'
import { LINES_MAX, MEMBER_FIELDS, QuoteContent } from '../core/quotes/quote-edit.ts'
import { findReferenceErrors } from '../core/quotes/quote-references.ts'
import { updateRow } from '../codec/write.ts'
import { queryRows, statement } from '../db/statement.ts'
import { insertLines, orderLines, updateLines } from '../records/line-item/queries.ts'
import { deriveCalendar, forgetCalendar } from '../records/quote/calendar.ts'
import { QUOTE_COLUMNS } from '../records/quote/columns.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { deleteServiceDays, insertServiceDays, updateServiceDays } from '../records/service-day/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { QuoteTarget, changeQuote } from './change-quote.ts'
import { describeWrongReference, findWrongReference } from './references.ts'
import { changedMembers } from './subjects.ts'

const REMOVE_LINES = statement(sql`
  UPDATE line_items SET deleted_at = now(), updated_at = now()
  WHERE company_id = $1 AND quote_id = $2 AND id = ANY($3) AND deleted_at IS NULL`)

/** A quote has at most this many lines, including deleted ones, or an export could not be imported. */
const FORGET_OLDEST = statement(sql`
  DELETE FROM line_items
  WHERE company_id = $1 AND id IN (
    SELECT id FROM line_items
    WHERE company_id = $1 AND quote_id = $2 AND deleted_at IS NOT NULL
    ORDER BY deleted_at, id
    LIMIT greatest(0, (
      SELECT count(*) FROM line_items WHERE company_id = $1 AND quote_id = $2) - ${literal(LINES_MAX)}))`)

export const saveQuote = defineAction({
  name: 'saveQuote',
  allowed: USERS,
  input: QuoteTarget.extend({ content: QuoteContent }),
  lock: 'first',
  run: async (transaction, { id, version, content }) =>
    changeQuote(
      transaction,
      { id, version },
      {
        action: 'edit',
        type: 'quote.updated',
        content,
        apply: async (quote) => {
          await refuseWrongReferences(transaction, quote, content)
          // Keeps updated_at, so that clients that read recent changes do not read it again.
          if (isDeepStrictEqual(quote.content, inStoredOrder(quote, content))) return false
          await writeContent(transaction, quote, content)
          return true
        },
      },
    ),
})

/** Writes the differences. Lines without an id and days with an unknown id are new. */
export async function writeContent(
  transaction: ActionTransaction,
  quote: EditableQuote,
  content: QuoteContent,
): Promise<void> {
  const stored = await writeDays(transaction, quote, content)
  await writeLines(transaction, quote, stored)
  await writeMembers(transaction, quote, stored)
}

/** Days are sorted by time, however they are sent. */
function inStoredOrder({ content: { serviceDays } }: EditableQuote, content: QuoteContent): QuoteContent {
  const position = new Map(serviceDays.map(({ id }, index) => [id, index]))
  const days = content.serviceDays.toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0))
  return { ...content, serviceDays: days }
}

async function refuseWrongReferences(
  transaction: ActionTransaction,
  quote: EditableQuote,
  content: QuoteContent,
): Promise<void> {
  const { currency } = quote.facts
  const errors = findReferenceErrors(quote.content, content, { catalog: quote.catalog, currency })
  const details = Object.fromEntries(Object.keys(DETAILS).map((name) => [name, Reflect.get(content, name)]))
  const wrong = await findWrongReference(transaction, details, { stored: quote.content, currency })
  const all: FieldErrors =
    wrong === null ? errors : { ...errors, [wrong.param]: { _errors: [describeWrongReference(wrong)] } }
  const [first] = Object.values(all)
  if (first === undefined) return
  const fields = Object.entries(all).map(([field, error]) => [`content.${field}`, error])
  const message = first._errors[0] ?? 'The quote could not be saved.'
  throw new ApiError('invalid_body', { message, details: Object.fromEntries(fields) as FieldErrors })
}

/** Returns the content with the ids that new days got. */
async function writeDays(
  { db, companyId }: ActionTransaction,
  quote: EditableQuote,
  content: QuoteContent,
): Promise<QuoteContent> {
  const { added, changed, removedIds } = findDayChanges(quote.content.serviceDays, content.serviceDays)
  if (added.length + changed.length + removedIds.length === 0) return content
  const ids = new Map(added.map(({ id }) => [id, newId('day')]))
  await forgetCalendar(db, companyId, quote.id)
  await deleteServiceDays(db, companyId, quote.id, removedIds)
  await updateServiceDays(db, companyId, quote.id, changed)
  const days = added.map((day) => ({ ...day, id: ids.get(day.id) ?? day.id }))
  await insertServiceDays(db, companyId, quote.id, days)
  await deriveCalendar(db, companyId, quote.id)
  const lines = content.lines.map((line) => ({
    ...line,
    serviceDayId: line.serviceDayId === null ? null : (ids.get(line.serviceDayId) ?? line.serviceDayId),
  }))
  return { ...content, lines }
}

async function writeLines(
  { db, companyId }: ActionTransaction,
  quote: EditableQuote,
  content: QuoteContent,
): Promise<void> {
  const { added, changed, removedIds, isReordered } = findLineChanges(quote.content.lines, content.lines)
  if (removedIds.length > 0) await queryRows(db, REMOVE_LINES, [companyId, quote.id, removedIds])
  if (changed.length > 0) await updateLines(db, companyId, quote.id, changed)
  const lines = content.lines.map((line, position) => ({ ...line, position, id: line.id ?? newId('line') }))
  if (added.length > 0) {
    const isNew = (_: unknown, index: number) => content.lines[index]?.id === null
    await insertLines(db, companyId, quote.id, lines.filter(isNew))
    await queryRows(db, FORGET_OLDEST, [companyId, quote.id])
  }
  if (!isReordered) return
  await orderLines(
    db,
    companyId,
    quote.id,
    lines.map(({ id }) => id),
  )
}

async function writeMembers(
  { db, companyId }: ActionTransaction,
  quote: EditableQuote,
  content: QuoteContent,
): Promise<void> {
  const members = Object.fromEntries(MEMBER_FIELDS.map((name) => [name, content[name]]))
  await updateRow(db, QUOTE_COLUMNS, companyId, quote.id, changedMembers(quote.content, members) ?? {})
}
