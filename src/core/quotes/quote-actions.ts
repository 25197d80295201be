/** Which actions a quote allows in each state. Page and server use the same rules. */

export type QuoteAction =
  | 'edit'
  | 'update'
  | 'send'
  | 'book'
  | 'lose'
  | 'reopen'
  | 'undoBooking'
  | 'cancelBooking'
/** Characters of the message that is sent with a quote. */
export const MESSAGE_MAX = 10_000

type Standing = 'draft' | 'sent' | 'booked' | 'lost' | 'expired'

const BOOKED = 'This quote is booked, so it can no longer change.'
const LOST = 'This quote is marked as lost. Reopen it first.'
const NOT_BOOKED = 'This quote is not booked.'

/**
 * In the editor, a lost quote can be edited, to win it back with a better offer, but must be reopened before it is sent or booked. A quote
 * can be sent again with a new expiration, and booked at any time: customers accept by phone, or late.
 */
const REFUSALS: Record<QuoteAction, Partial<Record<Standing, string>>> = {
  edit: { booked: BOOKED },
  /** Through the API. */
  update: { booked: BOOKED, lost: LOST },
  send: { booked: BOOKED, lost: LOST },
  book: { booked: 'This quote is already booked.', lost: LOST },
  lose: { booked: BOOKED, lost: 'This quote is already marked as lost.' },
  reopen: {
    booked: 'Only a lost quote can be reopened.',
    draft: 'Only a lost quote can be reopened.',
    sent: 'Only a lost quote can be reopened.',
    expired: 'Only a lost quote can be reopened.',
  },
  undoBooking: { draft: NOT_BOOKED, sent: NOT_BOOKED, expired: NOT_BOOKED, lost: NOT_BOOKED },
  cancelBooking: { draft: NOT_BOOKED, sent: NOT_BOOKED, expired: NOT_BOOKED, lost: NOT_BOOKED },
}

/** The error codes of the API, which cannot undo or cancel bookings. A quote that cannot be reopened is not lost, whatever else it is. */
const CODES = { booked: 'quote_booked', lost: 'quote_lost' } as const

export function refusalCode(
  action: QuoteAction,
  state: Standing,
): 'quote_booked' | 'quote_lost' | 'quote_not_lost' | 'conflict' {
  if (action === 'undoBooking' || action === 'cancelBooking') return 'conflict'
  return action === 'reopen' || (state !== 'booked' && state !== 'lost') ? 'quote_not_lost' : CODES[state]
}

/** Why a quote cannot be sent. */
export const NO_LINES = 'This quote has no lines. Add lines before you send it.'

const NEXT_STEPS = { draft: 'send', sent: 'book', expired: 'send', lost: 'reopen', booked: null } as const

/** The action that usually follows in this state; null after the last one. */
export function nextStep(state: Standing): 'send' | 'book' | 'reopen' | null {
  return NEXT_STEPS[state]
}

/** Why the action is not allowed, or null. */
export function refusalOf(action: QuoteAction, state: Standing): string | null {
  return REFUSALS[action][state] ?? null
}
