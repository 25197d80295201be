/** Booked value by month, currency by currency: amounts of different currencies have no sum. */

interface BookedMonth {
  /** `2026-03` */
  month: string
  bookings: number
  totalCents: bigint
}

export interface BookedSeries {
  currency: string
  bookings: number
  totalCents: bigint
  /** Every month, also those without bookings. */
  months: BookedMonth[]
}

interface Booked {
  months: readonly string[]
  values: readonly { month: string; currency: string; bookings: number; totalCents: string }[]
}

/** The currency of the most bookings first: their amounts cannot be compared. */
export function bookedSeries({ months, values }: Booked): BookedSeries[] {
  const currencies = [...new Set(values.map(({ currency }) => currency))]
  const series = currencies.map((currency) => {
    const ofMonth = new Map(values.filter((one) => one.currency === currency).map((one) => [one.month, one]))
    const all = months.map((month) => {
      const { bookings = 0, totalCents = '0' } = ofMonth.get(month) ?? {}
      return { month, bookings, totalCents: BigInt(totalCents) }
    })
    return {
      currency,
      bookings: all.reduce((sum, { bookings }) => sum + bookings, 0),
      totalCents: all.reduce((sum, { totalCents }) => sum + totalCents, 0n),
      months: all,
    }
  })
  return series.toSorted((a, b) => b.bookings - a.bookings || (a.currency < b.currency ? -1 : 1))
}
