/** The filters of a list of quotes as conditions on a table named `t`. */
import type { QuoteState } from '../../core/quotes/quote-state.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { filterConditions, isWithin, rangeSql } from '../../codec/list.ts'
import type { RangeSql } from '../../codec/list.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { QUOTE_COLUMNS } from './columns.ts'

export interface QuoteFilters {
  ids: {
    leadId?: string | undefined
    locationId?: string | undefined
    bookingId?: string | undefined
    eventTypeId?: string | undefined
  }
  createdAt: TimeRange | null
  updatedAt: TimeRange | null
  /** A quote matches if one service day is inside. */
  serviceStartTime: TimeRange | null
  /** At a point in time, since a sent quote expires. Only for the application. */
  state?: { is: QuoteState; now: string } | undefined
  /** One of these leads, or one of these quotes, which a search found. Only for the application. */
  leadIds?: readonly string[] | undefined
  quoteIds?: readonly string[] | undefined
  /**
   * The cursor need not match the filters. Only for the application: its users change quotes while they look at the list, and
   * states change with the clock.
   */
  isCursorAny?: true | undefined
}

/** Conditions of a page, and the ranges that special shapes find in other ways. */
export interface QuoteConditions {
  /** All but the update range and the leads. */
  conditions: Sql[]
  created: RangeSql | null
  updated: RangeSql | null
  served: RangeSql | null
}

export function quoteConditions(filters: QuoteFilters): QuoteConditions {
  const { leadId, locationId, bookingId, eventTypeId } = filters.ids
  const [created, updated, served] = [filters.createdAt, filters.updatedAt, filters.serviceStartTime].map(
    (range) => (range === null ? null : rangeSql(range)),
  ) as [RangeSql | null, RangeSql | null, RangeSql | null]
  const conditions = [
    sql`t.company_id = $1`,
    sql`t.deleted_at IS NULL`,
    ...filterConditions<typeof QUOTE_COLUMNS.members>({ leadId, locationId, bookingId, eventTypeId }),
    ...(created === null ? [] : [isWithin(sql`t.created_at`, created)]),
    ...(served === null ? [] : dayConditions(served)),
    ...stateConditions(filters.state),
  ]
  return { conditions, created, updated, served }
}

/** The first and last day exclude most quotes without a day in the range, and the indexes of the filters contain both. */
function dayConditions(served: RangeSql): Sql[] {
  const { from, before } = served
  return [sql`t.last_start_time >= ${from}`, sql`t.first_start_time < ${before}`, hasDay(served)]
}

/** The stored state, as in the index by state. An expired quote is stored as sent. */
function stateConditions(state: QuoteFilters['state']): Sql[] {
  if (state === undefined) return []
  const { is, now } = state
  const stored = is === 'expired' ? 'sent' : is
  const isStored = sql`quote_state(t.sent_at, t.booked_at, t.lost_at) = ${stored}::text`
  if (is === 'expired') return [isStored, sql`t.expires_at <= ${now}::timestamptz`]
  if (is === 'sent') return [isStored, sql`(t.expires_at IS NULL OR t.expires_at > ${now}::timestamptz)`]
  return [isStored]
}

/** A scalar subquery: EXISTS could be planned as a join with all days of the range. */
export function hasDay(served: RangeSql): Sql {
  return sql`(
    SELECT true FROM service_days d
    WHERE d.company_id = $1 AND d.quote_id = t.id AND ${isWithin(sql`d.service_start_time`, served)} LIMIT 1)`
}
