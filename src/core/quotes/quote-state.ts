/** Where a quote stands. It is never stored: the times of what happened to it, and the clock, tell. */

/** In the order of a quote's life. */
export const QUOTE_STATES = ['draft', 'sent', 'booked', 'lost', 'expired'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

/** ISO 8601 in UTC with milliseconds: such texts are in the order of their times. */
export interface QuoteTimes {
  sentAt: string | null
  expiresAt: string | null
  bookedAt: string | null
  lostAt: string | null
}

/** The database has the same rule, but for the clock: `quote_state` in migrations/0004, and src/records/quote/list.ts. */
export function quoteState({ sentAt, expiresAt, bookedAt, lostAt }: QuoteTimes, now: string): QuoteState {
  if (bookedAt !== null) return 'booked'
  if (lostAt !== null) return 'lost'
  if (sentAt === null) return 'draft'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'sent'
}
