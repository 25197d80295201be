/** The state of a quote. It is never stored: it follows from the quote's timestamps and the clock. */

/** In lifecycle order. */
export const QUOTE_STATES = ['draft', 'sent', 'booked', 'lost', 'expired'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

/** ISO 8601 in UTC with milliseconds, so they can be compared as text. */
export interface QuoteTimes {
  sentAt: string | null
  expiresAt: string | null
  bookedAt: string | null
  lostAt: string | null
}

/** The database has the same rule without the clock: `quote_state` in migrations/0004, and src/records/quote/list.ts. */
export function quoteState({ sentAt, expiresAt, bookedAt, lostAt }: QuoteTimes, now: string): QuoteState {
  if (bookedAt !== null) return 'booked'
  if (lostAt !== null) return 'lost'
  if (sentAt === null) return 'draft'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'sent'
}
