/** Saves an edited quote. Only the differences are written. */
import { isDeepStrictEqual } from 'node:util'
import { literal, sql } from '../db/sql.ts'
import type { Db } from '../db/statement.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findLineChanges } from '../core/quotes/quote-changes.ts'
import { LINES_MAX } from '../core/quotes/quote-edit.ts'
import type { QuoteContent } from '../core/quotes/quote-edit.ts'
import { findReferenceErrors } from '../core/quotes/quote-references.ts'
import { queryRows, statement } from '../db/statement.ts'
import { insertLines, updateLines } from '../records/line-item/queries.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { NEXT_UPDATE } from '../codec/write.ts'
import { defineAction } from './action.ts'
import { changeQuote } from './change-quote.ts'
import type { QuoteTarget } from './change-quote.ts'

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

const CHANGE_QUOTE = statement(sql`
  UPDATE quotes SET discount_id = $3, service_charge_ids = $4, tax_rate_id = $5, base_fee_cents = $6,
    base_fee_taxable = $7, travel_fee_cents = $8, travel_fee_taxable = $9, ${NEXT_UPDATE}
  WHERE company_id = $1 AND id = $2`)

export const saveQuote = defineAction({
  name: 'saveQuote',
  lock: 'first',
  run: async (transaction, { id, version, content }: QuoteTarget & { content: QuoteContent }) => {
    const { db, companyId } = transaction
    return changeQuote(
      transaction,
      { id, version },
      {
        action: 'edit',
        type: 'quote.updated',
        content,
        apply: async (quote) => {
          refuseWrongReferences(quote, content)
          // Keeps updated_at, so that clients that read recent changes do not read it again.
          if (isDeepStrictEqual(quote.content, content)) return false
          await writeLines(db, companyId, quote, content)
          await writeQuote(db, companyId, id, content)
          return true
        },
      },
    )
  },
})

function refuseWrongReferences(quote: EditableQuote, content: QuoteContent): void {
  const errors = findReferenceErrors(quote.content, content, {
    catalogue: quote.catalogue,
    currency: quote.facts.currency,
    serviceDayIds: quote.serviceDays.map((day) => day.id),
  })
  const [first] = Object.values(errors)
  if (first === undefined) return
  const details = Object.fromEntries(
    Object.entries(errors).map(([field, error]) => [`content.${field}`, error]),
  )
  const message = first._errors[0] ?? 'The quote could not be saved.'
  throw new ApiError('invalid_body', { message, details })
}

async function writeLines(
  client: Db,
  companyId: string,
  quote: EditableQuote,
  content: QuoteContent,
): Promise<void> {
  const { added, changed, removedIds } = findLineChanges(quote.content.lines, content.lines)
  if (removedIds.length > 0) await queryRows(client, REMOVE_LINES, [companyId, quote.id, removedIds])
  if (changed.length > 0) {
    await updateLines(client, companyId, quote.id, changed)
  }
  if (added.length > 0) {
    const lines = added.map((line) => ({ ...line, id: newId('line') }))
    await insertLines(client, companyId, quote.id, lines)
    await queryRows(client, FORGET_OLDEST, [companyId, quote.id])
  }
}

async function writeQuote(client: Db, companyId: string, id: string, content: QuoteContent): Promise<void> {
  await queryRows(client, CHANGE_QUOTE, [
    companyId,
    id,
    content.discountId,
    content.serviceChargeIds,
    content.taxRateId,
    content.baseFeeCents,
    content.baseFeeTaxable,
    content.travelFeeCents,
    content.travelFeeTaxable,
  ])
}
