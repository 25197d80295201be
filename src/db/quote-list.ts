/** The statement that reads a page of quotes: one text per shape of filters, so that each is planned once. */
import { readSize } from '../core/page.ts'
import type { Page } from '../core/page.ts'
import { shapedStatement, unpreparedStatement } from './connect.ts'
import type { Statement } from './connect.ts'
import { QUOTE_COLUMNS } from './quote-row.ts'

/** Instants in the form of core/datetime.ts. */
export interface TimeBounds {
  gt?: string | undefined
  gte?: string | undefined
  lt?: string | undefined
  lte?: string | undefined
}

export interface QuoteFilters {
  ids: {
    leadId?: string | undefined
    locationId?: string | undefined
    bookingId?: string | undefined
    eventTypeId?: string | undefined
  }
  createdAt: TimeBounds
  updatedAt: TimeBounds
  /** A quote matches when one single service day satisfies all of these. */
  serviceStartTime: TimeBounds
}

const ID_COLUMNS = {
  leadId: 'lead_id',
  locationId: 'location_id',
  bookingId: 'booking_id',
  eventTypeId: 'event_type_id',
} as const

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/**
 * The page is cut out first, by the index, and only its quotes are then read with their pricing inputs. The limit is part
 * of the text, since as a parameter it would be planned anew at every call. The cursor is a subquery with the same
 * filters: where it finds nothing the comparison is null, and the page empty.
 */
export function listStatement(
  companyId: string,
  filters: QuoteFilters,
  { limit, startingAfter }: Page,
): { list: Statement; values: string[] } {
  const values = [companyId]
  const place = (value: string) => `$${values.push(value)}`
  const conditions = filterConditions(filters, place)
  const cursor =
    startingAfter === undefined
      ? ''
      : `AND (q.created_at, q.id) < (SELECT q.created_at, q.id FROM quotes q WHERE ${conditions} AND q.id = ${place(startingAfter)})`
  const text = `
    SELECT ${QUOTE_COLUMNS}
    FROM (
      SELECT * FROM quotes q WHERE ${conditions} ${cursor}
      ORDER BY q.created_at DESC, q.id DESC
      LIMIT ${readSize(limit)}
    ) q
    ORDER BY q.created_at DESC, q.id DESC`
  return { list: isPlannedOnce(filters) ? shapedStatement(text) : unpreparedStatement(text), values }
}

/**
 * Pages without filters or with one are kept prepared. With more there would be too many shapes; and for times, which
 * plan is good depends on the very values, so those are planned each time.
 */
function isPlannedOnce({ ids, createdAt, updatedAt, serviceStartTime }: QuoteFilters): boolean {
  const times = [createdAt, updatedAt, serviceStartTime].flatMap(given)
  return times.length === 0 && given(ids).length <= 1
}

function given(filters: object): unknown[] {
  return Object.values(filters).filter((value) => value !== undefined)
}

function filterConditions(filters: QuoteFilters, place: (value: string) => string): string {
  const conditions = ['q.company_id = $1', 'q.deleted_at IS NULL']
  for (const [name, column] of Object.entries(ID_COLUMNS) as [keyof typeof ID_COLUMNS, string][]) {
    const id = filters.ids[name]
    if (id !== undefined) conditions.push(`q.${column} = ${place(id)}`)
  }
  conditions.push(...boundConditions('q.created_at', filters.createdAt, place))
  conditions.push(...boundConditions('q.updated_at', filters.updatedAt, place))
  const dayBounds = boundConditions('d.service_start_time', filters.serviceStartTime, place)
  if (dayBounds.length > 0) {
    conditions.push(`EXISTS (
      SELECT FROM service_days d
      WHERE d.company_id = q.company_id AND d.quote_id = q.id AND ${dayBounds.join(' AND ')})`)
  }
  return conditions.join(' AND ')
}

function boundConditions(column: string, bounds: TimeBounds, place: (value: string) => string): string[] {
  return (Object.entries(OPERATORS) as [keyof TimeBounds, string][]).flatMap(([name, operator]) => {
    const instant = bounds[name]
    return instant === undefined ? [] : [`${column} ${operator} ${place(instant)}::timestamptz`]
  })
}
