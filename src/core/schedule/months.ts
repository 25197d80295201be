/** Calendar months in UTC, for figures by month. */

export interface Month {
  /** `2026-03` */
  name: string
  /** Its first instant: ISO 8601 in UTC with milliseconds. */
  from: string
}

/** The last `count` months, oldest first, ending with the month of `now`. */
export function lastMonths(now: string, count: number): Month[] {
  return Array.from({ length: count }, (_, i) => monthAt(now, i - count + 1))
}

/** The first instant after the month of `now`. */
export function monthEnd(now: string): string {
  return monthAt(now, 1).from
}

function monthAt(now: string, offset: number): Month {
  const first = new Date(0)
  first.setUTCFullYear(Number(now.slice(0, 4)), Number(now.slice(5, 7)) - 1 + offset, 1)
  const from = first.toISOString()
  return { name: from.slice(0, 7), from }
}
