/** The numbers of quotes and invoices. Companies start them where they like. */

/** The next number is at most this. It is never given out itself, since there would be no next one. */
export const NEXT_NUMBER_MAX = 999_999_999
