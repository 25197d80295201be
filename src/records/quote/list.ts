/**
 * The quotes of a page. Each combination of filters is one statement, so that it is planned once, and has an index in whose
 * order the page is a contiguous range, or nearly.
 */
import { readSize } from '../../core/requests/page.ts'
import type { Page } from '../../core/requests/page.ts'
import { calendarStretches } from '../../core/schedule/calendar-stretches.ts'
import type { CalendarStretches } from '../../core/schedule/calendar-stretches.ts'
import { NEWEST_FIRST, afterCursor, cursorRow, isWithin, pageRows } from '../../codec/list.ts'
import type { RangeSql } from '../../codec/list.ts'
import { EMPTY, literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { hasDay, quoteConditions } from './filter.ts'
import type { QuoteFilters } from './filter.ts'

/**
 * Up to this many quotes that were updated in the range are checked one by one. For more, the page is searched in the order of
 * the list, which can read all of them if few quotes have a day in the requested range.
 */
const FEW_UPDATED = { alone: 1_000, withDays: 4_000 }

/** Combinations of more filters than this are rare. */
const COMMON_FILTERS_MAX = 2

const QUOTES = sql`quotes`

/** A page to read. */
export interface QuotePage {
  /** Equal for pages with equal texts. */
  shape: string
  /** Rare combinations are not prepared: all of them would take a gigabyte on every connection. */
  isCommon: boolean
  /** The rows of `quotes` on the page and one more, in any order. */
  rows: Sql
  /** The cursor's row, which must match the filters; null without a cursor, or if any quote can be the cursor. */
  cursor: Sql | null
}

/** What all shapes of a page need. */
interface Shape {
  size: number
  conditions: readonly Sql[]
  /** The row that the page starts after. */
  cursor: Sql | null
}

export function pageOfQuotes(filters: QuoteFilters, { limit, startingAfter }: Page): QuotePage {
  const { ids, createdAt, updatedAt, serviceStartTime, state, leadIds, isCursorAny } = filters
  const { conditions, created, updated, served } = quoteConditions(filters)
  const leads = leadIds === undefined ? null : sql`${leadIds}::text[]`
  const found = sql`${filters.quoteIds ?? []}::text[]`
  const withUpdated = updated === null ? conditions : [...conditions, isWithin(sql`t.updated_at`, updated)]
  const cursor =
    startingAfter === undefined
      ? null
      : isCursorAny === true
        ? cursorRow(QUOTES, [sql`t.company_id = $1`], startingAfter)
        : cursorRow(
            QUOTES,
            leads === null
              ? withUpdated
              : [...withUpdated, sql`(t.lead_id = ANY(${leads}) OR t.id = ANY(${found}))`],
            startingAfter,
          )
  const shape = { size: readSize(limit), conditions, cursor }
  const idCount = Object.values(ids).filter((id) => id !== undefined).length
  const ranges = [createdAt, updatedAt, serviceStartTime].filter((range) => range !== null)
  const rowsOf = () => {
    if (leads !== null) return rowsById(pageOfFound({ ...shape, conditions: withUpdated }, leads, found))
    if (updated !== null)
      return pageByUpdate(shape, updated, served === null ? FEW_UPDATED.alone : FEW_UPDATED.withDays)
    if (served === null || serviceStartTime === null) return pageByIndex(shape, sql`t.*`)
    if (idCount > 0 || state !== undefined) return rowsById(pageByIndex(shape, sql`t.id`))
    return rowsById(pageByDay(shape, calendarStretches(serviceStartTime), served, created))
  }
  const filterShape = Object.entries(ids).map(([name, id]) => (id === undefined ? '' : name))
  const isThere = [createdAt, updatedAt, serviceStartTime, startingAfter].map((filter) => filter != null)
  return {
    shape: [shape.size, ...filterShape, ...isThere, isCursorAny].join(' '),
    isCommon: idCount + ranges.length <= COMMON_FILTERS_MAX && state === undefined && leads === null,
    rows: rowsOf(),
    cursor: isCursorAny === true ? null : cursor,
  }
}

function pageByIndex(shape: Shape, selected: Sql): Sql {
  return pageRows(selected, { table: QUOTES, ...shape })
}

/**
 * The rows of the quotes with these ids, without deleted ones. OFFSET separates that condition from the lookup: otherwise the
 * planner could choose a partial index of quotes that are not deleted, which is not by id.
 */
function rowsById(ids: Sql): Sql {
  return sql`
    SELECT t.* FROM (${ids}) page
    CROSS JOIN LATERAL (SELECT * FROM quotes t WHERE t.company_id = $1 AND t.id = page.id OFFSET 0) t
    WHERE t.deleted_at IS NULL`
}

/** The columns that conditions use. */
const FILTERED = sql`company_id, id, created_at, updated_at, deleted_at, lead_id, location_id, booking_id, event_type_id,
        first_start_time, last_start_time, sent_at, booked_at, lost_at, expires_at`

/** Either way alone can be slow: few updates among many quotes, or many updates of which the page needs few. */
function pageByUpdate(shape: Shape, updated: RangeSql, few: number): Sql {
  // The sum keeps the planner from using the index by update: this way follows the order of the list.
  const inListOrder = isWithin(sql`(t.updated_at + interval '0')`, updated)
  const count = sql`(SELECT count(*) FROM updated)`
  const { conditions } = shape
  return rowsById(sql`
    WITH updated AS MATERIALIZED (
      SELECT ${FILTERED} FROM quotes t
      WHERE t.company_id = $1 AND t.deleted_at IS NULL AND ${isWithin(sql`t.updated_at`, updated)}
      LIMIT ${literal(few + 1)})
    (${pageRows(sql`t.id`, { ...shape, table: sql`updated`, conditions: [sql`${count} <= ${literal(few)}`, ...conditions] })})
    UNION ALL
    (${pageByIndex({ ...shape, conditions: [sql`${count} > ${literal(few)}`, ...conditions, inListOrder] }, sql`t.id`)})`)
}

/** The newest quotes of each lead and the quotes that were found themselves, and the newest of these: leads have few quotes. */
function pageOfFound(shape: Shape, leads: Sql, found: Sql): Sql {
  const selected = sql`t.created_at, t.id`
  const ofLead = [sql`t.lead_id = lead.id`, ...shape.conditions]
  const ofQuote = [sql`t.id = quote.id`, ...shape.conditions]
  return sql`
    SELECT DISTINCT t.created_at, t.id FROM (
      SELECT t.* FROM unnest(${leads}) AS lead (id) CROSS JOIN LATERAL (
        ${pageByIndex({ ...shape, conditions: ofLead }, selected)}) t
      UNION ALL
      SELECT t.* FROM unnest(${found}) AS quote (id) CROSS JOIN LATERAL (
        ${pageByIndex({ ...shape, conditions: ofQuote }, selected)}) t
    ) t
    ORDER BY ${NEWEST_FIRST} LIMIT ${literal(shape.size)}`
}

/** The newest quotes of each stretch of the range, and the newest of these. */
function pageByDay(
  { size, cursor }: Shape,
  { whole, partial }: CalendarStretches,
  served: RangeSql,
  created: RangeSql | null,
): Sql {
  const isCreated = created === null ? EMPTY : sql`AND ${isWithin(sql`t.created_at`, created)}`
  const newestOf = (stretches: readonly number[], condition: Sql) => sql`
    SELECT newest.* FROM unnest(${stretches}::integer[]) AS part (stretch) CROSS JOIN LATERAL (
      SELECT t.created_at, t.id
      FROM (SELECT stretch, quote_created_at AS created_at, quote_id AS id FROM quote_stretches WHERE company_id = $1) t
      WHERE t.stretch = part.stretch ${isCreated} ${condition}${afterCursor(cursor)}
      ORDER BY ${NEWEST_FIRST} LIMIT ${literal(size)}
    ) newest`
  return sql`
    SELECT DISTINCT t.created_at, t.id FROM (
      ${newestOf(whole, EMPTY)} UNION ALL ${newestOf(partial, sql`AND ${hasDay(served)}`)}
    ) t
    ORDER BY ${NEWEST_FIRST} LIMIT ${literal(size)}`
}
