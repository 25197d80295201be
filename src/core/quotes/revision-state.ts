/** Whether the customer can accept a revision. Page and actions use the same rules. */
import { MONEY_MAX_CENTS } from './quote-edit.ts'
import { quoteState } from './quote-state.ts'
import type { QuoteTimes } from './quote-state.ts'
import type { Revision } from './revision.ts'

/**
 * `open`: can be accepted. `undated`: has no day yet, or a total that cannot be booked, so it can only be discussed. `canceled`: the
 * booking is canceled. `withdrawn`: the quote is a draft again, which only an import can cause.
 */
export type RevisionState =
  | 'open'
  | 'undated'
  | 'replaced'
  | 'expired'
  | 'lost'
  | 'booked'
  | 'canceled'
  | 'withdrawn'

export function revisionState(
  revision: Pick<Revision, 'revision' | 'expiresAt' | 'content' | 'price'>,
  quote: QuoteTimes & { newest: number; canceledAt: string | null },
  now: string,
): RevisionState {
  if (quote.newest !== revision.revision) return 'replaced'
  const state = quoteState(quote, now)
  if (state === 'draft') return 'withdrawn'
  if (state === 'booked' && quote.canceledAt !== null) return 'canceled'
  if (state !== 'sent') return state
  // The quote can have got another expiration since. The offer ends at the earlier one.
  if (revision.expiresAt !== null && revision.expiresAt <= now) return 'expired'
  const isBookable = revision.content.serviceDays.length > 0 && revision.price.totalCents <= MONEY_MAX_CENTS
  return isBookable ? 'open' : 'undated'
}

/** Why a revision in this state cannot be accepted. */
export const STATE_MESSAGES: Record<Exclude<RevisionState, 'open'>, string> = {
  undated: 'This quote has no date yet, so it cannot be accepted here. Ask us to agree on one.',
  replaced: 'This quote was replaced by a newer one. Open the link in our latest message.',
  expired: 'This quote has expired. Ask us for a new one.',
  lost: 'This quote is closed. Ask us if you want to continue.',
  booked: 'This quote is already booked.',
  canceled: 'The booking of this quote is canceled. Ask us if you want to continue.',
  withdrawn: 'This quote is being revised. We will send you a new link.',
}
