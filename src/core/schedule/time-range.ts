/** Time bounds as one range in milliseconds since 1970, the precision of stored times. */

/** Instants in the form of datetime.ts. */
export interface TimeBounds {
  gt?: string | undefined
  gte?: string | undefined
  lt?: string | undefined
  lte?: string | undefined
}

/** Half-open: includes the start, excludes the end. Infinite without a bound. */
export interface TimeRange {
  from: number
  before: number
}

/** Null if there is no bound. */
export function timeRange({ gt, gte, lt, lte }: TimeBounds): TimeRange | null {
  if (gt === undefined && gte === undefined && lt === undefined && lte === undefined) return null
  return {
    from: Math.max(
      gt === undefined ? -Infinity : millisecondsOf(gt) + 1,
      gte === undefined ? -Infinity : nextMillisecond(gte),
    ),
    before: Math.min(
      lt === undefined ? Infinity : nextMillisecond(lt),
      lte === undefined ? Infinity : millisecondsOf(lte) + 1,
    ),
  }
}

/** The last millisecond at or before the instant. */
function millisecondsOf(instant: string): number {
  return Date.parse(`${instant.slice(0, 23)}Z`)
}

/** The first millisecond at or after the instant. */
function nextMillisecond(instant: string): number {
  return instant.slice(23, 26) === '000' ? millisecondsOf(instant) : millisecondsOf(instant) + 1
}

const YEAR_10000 = Date.UTC(10_000, 0)

/** In PostgreSQL's format. Nothing is stored beyond the year 9999. */
export function postgresTime(milliseconds: number): string {
  if (milliseconds === -Infinity) return '-infinity'
  return milliseconds >= YEAR_10000 ? 'infinity' : new Date(milliseconds).toISOString()
}
