/**
 * A customer accepts a revision: the acceptance with its proof, and the booking, in one transaction. The quote then has the content
 * that was accepted, with the chosen options, whatever was edited since it was sent.
 */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { CUSTOMERS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { quoteAccepted } from '../core/mail/messages.ts'
import { offerOf } from '../core/quotes/offer.ts'
import { formatsOf, priceRevision } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { hashRevision } from '../core/quotes/revision-hash.ts'
import type { QuoteContent } from '../core/quotes/quote-edit.ts'
import { ApiError } from '../core/requests/errors.ts'
import { insertRow, updateRow } from '../codec/write.ts'
import { ACCEPTANCE_COLUMNS } from '../records/acceptance/columns.ts'
import { BOOKING_COLUMNS } from '../records/booking/columns.ts'
import { lockQuote } from '../records/quote/edit.ts'
import type { EditableQuote } from '../records/quote/edit.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { recordBooking, refuseUnbookable, writeBooking } from './book-quote.ts'
import { RevisionTarget, findQuoteSubject, findSentRevision, refuseClosed } from './customer-quote.ts'
import { customerOf, mailCompany, quotePath } from './quote-mails.ts'
import { writeContent } from './save-quote.ts'

/** In UTF-16 units, as `maxlength` counts. */
export const SIGNATURE_MAX = 200

const Signature = RevisionTarget.extend({
  /** Positions of the chosen lines. */
  chosen: z.array(z.int().min(0)),
  name: z.string().min(1).max(SIGNATURE_MAX),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
})

export const acceptQuote = defineAction({
  name: 'acceptQuote',
  allowed: CUSTOMERS,
  input: Signature,
  lock: 'first',
  run: async (transaction, { chosen, name, address, userAgent, ...target }) => {
    const { db, companyId, presentation, record } = transaction
    const { quoteId } = target
    const { standing, content } = await findSentRevision(transaction, target)
    // Sent twice: the first one counts, and the page shows its receipt.
    if (standing.acceptedName !== null && standing.canceledAt === null) return
    refuseClosed(content, standing, presentation.now, { isUndatedFine: false })
    if (hashRevision(standing.content) !== standing.sha256) throw new Error('the revision was changed')
    const offer = offerOf(content, chosen)
    if (offer.incompleteGroup !== null) throw incomplete(offer.incompleteGroup)
    const before = await findQuoteSubject(transaction, quoteId)
    const quote = await restoreContent(transaction, quoteId, { ...content, content: offer.content })
    await refuseUnbookable(transaction, quote)
    await insertRow(db, ACCEPTANCE_COLUMNS, companyId, {
      id: newId('acceptance'),
      quoteRevisionId: standing.id,
      name,
      choices: offer.chosen.map((position) => content.content.lines[position]?.id ?? ''),
      acceptedAt: presentation.now,
      address,
      userAgent,
      sha256: standing.sha256,
    })
    const restored = await findQuoteSubject(transaction, quoteId)
    record('quote.accepted', before, restored)
    const bookingId = await writeBooking(transaction, quote, content.terms)
    await updateRow(db, BOOKING_COLUMNS, companyId, bookingId, { acceptedRevisionId: standing.id })
    record('quote.booked', restored, await findQuoteSubject(transaction, quoteId))
    await recordBooking(transaction, bookingId)
    const { customer, quote: shown, replyTo } = customerOf(content)
    const { money } = formatsOf(content)
    await mailCompany(transaction, {
      kind: 'quote_accepted',
      quoteId,
      replyTo,
      content: (urlOf) =>
        quoteAccepted({
          customer,
          quote: shown,
          signature: name,
          total: money(offer.totalCents),
          url: urlOf(quotePath(quoteId)),
        }),
    })
  },
})

const incomplete = (group: string) =>
  new ApiError('invalid_parameter', { message: `Choose one option for ${group}.`, param: 'choices' })

/** The quote with the accepted content and price. The price counts even if an import changed a discount or tax rate since. */
async function restoreContent(
  transaction: ActionTransaction,
  quoteId: string,
  revision: Revision,
): Promise<EditableQuote> {
  const { db, companyId } = transaction
  const { content, currency } = revision
  const quote = await lockQuote(db, companyId, quoteId, content)
  if (quote === null) throw new ApiError('not_found', { message: 'Quote not found' })
  const accepted = fitTo(quote.content, content)
  if (!isDeepStrictEqual(quote.content, accepted)) await writeContent(transaction, quote, accepted)
  const restored = await lockQuote(db, companyId, quoteId)
  if (restored === null) throw new ApiError('not_found', { message: 'Quote not found' })
  // Lines that were added again have new ids, to which the price must refer.
  const price = priceRevision({ ...revision, content: restored.content })
  if (price.totalCents !== priceRevision(revision).totalCents)
    throw new Error('the restored quote has another total')
  return { ...restored, facts: { ...restored.facts, currency }, price }
}

/**
 * Lines that were deleted since are added again. The customer stays as it is: two contacts that were merged since must not be
 * separated.
 */
function fitTo(stored: QuoteContent, accepted: QuoteContent): QuoteContent {
  const ids = new Set(stored.lines.map(({ id }) => id))
  const lines = accepted.lines.map((line) => (ids.has(line.id) ? line : { ...line, id: null }))
  return { ...accepted, lines, leadId: stored.leadId }
}
