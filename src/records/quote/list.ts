/**
 * Which quotes a page holds. Each shape of filters is one text, so that it is planned once, and for each shape there is
 * an index in whose order the page is a stretch, or nearly.
 */
import { calendarStretches } from '../../core/schedule/calendar-stretches.ts'
import { readSize } from '../../core/requests/page.ts'
import type { Page } from '../../core/requests/page.ts'
import type { QuoteState } from '../../core/quotes/quote-state.ts'
import { postgresTime } from '../../core/schedule/time-range.ts'
import type { TimeRange } from '../../core/schedule/time-range.ts'
import { ID_NAMES, cursorCondition, cursorText, filterOf, hasDay, isWithin, placeIn } from './filter.ts'
import type { Range } from './filter.ts'

export interface QuoteFilters {
  ids: {
    leadId?: string | undefined
    locationId?: string | undefined
    bookingId?: string | undefined
    eventTypeId?: string | undefined
  }
  createdAt: TimeRange | null
  updatedAt: TimeRange | null
  /** A quote matches when one single service day is inside. */
  serviceStartTime: TimeRange | null
  /** At a moment, for whether a quote has expired depends on it. Of the application. */
  state?: { is: QuoteState; now: string } | undefined
  /** Of one of these leads, which a search found. Of the application. */
  leadIds?: readonly string[] | undefined
  /**
   * The page comes after the cursor's quote, whether that one still fits the filters or not. Of the application: there
   * people change quotes while they look at the list, and states change with the clock.
   */
  isCursorAny?: true | undefined
}

/**
 * Up to so many quotes that were updated in the range are looked at one by one; more are looked for in the list's order.
 * That may go through all of them when days are asked for on which few quotes take place.
 */
const FEW_UPDATED = { alone: 1_000, withDays: 4_000 }

/** Shapes with more filters than this are rare. */
const COMMON_FILTERS_MAX = 2

const NEWEST_FIRST = 'ORDER BY q.created_at DESC, q.id DESC'

/** A page to read. Its text depends on its shape only. */
export interface QuotePage {
  /** Equal where the text is. */
  shape: string
  /** Whether the shape is one of few: all of them, prepared on every connection, would take a gigabyte of each. */
  isCommon: boolean
  values: unknown[]
  /** SQL of the rows of `quotes` that the page and the look beyond it need, in any order. */
  text: () => string
  /** SQL of the cursor's row, which must match the filters; null without a cursor, or if any quote may be the cursor. */
  cursorText: () => string | null
}

export function pageOfQuotes(
  companyId: string,
  { ids, createdAt, updatedAt, serviceStartTime, state, leadIds, isCursorAny }: QuoteFilters,
  { limit, startingAfter }: Page,
): QuotePage {
  const names = ['company']
  const values: unknown[] = [companyId]
  const add = (name: string, value: unknown) => {
    names.push(name)
    values.push(value)
  }
  for (const name of ID_NAMES) if (ids[name] !== undefined) add(name, ids[name])
  const idCount = names.length - 1
  const addRange = (name: string, { from, before }: TimeRange) => {
    add(`${name}From`, postgresTime(from))
    add(`${name}Before`, postgresTime(before))
  }
  if (createdAt !== null) addRange('created', createdAt)
  if (updatedAt !== null) addRange('updated', updatedAt)
  if (serviceStartTime !== null) {
    addRange('served', serviceStartTime)
    if (idCount === 0 && updatedAt === null && state === undefined && leadIds === undefined) {
      const { whole, partial } = calendarStretches(serviceStartTime)
      add('whole', whole)
      add('partial', partial)
    }
  }
  if (state !== undefined) {
    // One that has expired is one that was sent, as it is stored.
    add('state', state.is === 'expired' ? 'sent' : state.is)
    if (state.is === 'expired') add('expiredAt', state.now)
    if (state.is === 'sent') add('openAt', state.now)
  }
  if (leadIds !== undefined) add('leads', leadIds)
  if (startingAfter !== undefined && isCursorAny === true) add('anyCursor', startingAfter)
  else if (startingAfter !== undefined) add('cursor', startingAfter)
  const size = readSize(limit)
  const ranges = [createdAt, updatedAt, serviceStartTime].filter((range) => range !== null)
  return {
    shape: `${size} ${names.join(' ')}`,
    isCommon: idCount + ranges.length <= COMMON_FILTERS_MAX && state === undefined && leadIds === undefined,
    values,
    text: () => pageText(names, size),
    cursorText: () => cursorText(names),
  }
}

/** What a quote must satisfy, and what to come after the cursor, too. */
interface Shape {
  limit: number
  conditions: string
  afterCursor: string
}

function pageText(names: readonly string[], limit: number): string {
  const { conditions, withUpdated, created, updated, served } = filterOf(names)
  const [leads, whole, partial] = [
    placeIn(names, 'leads'),
    placeIn(names, 'whole'),
    placeIn(names, 'partial'),
  ]
  const shape = { limit, conditions: conditions.join(' AND '), afterCursor: cursorCondition(names) }
  if (leads !== null) return rowsOf(pageByLead({ ...shape, conditions: withUpdated.join(' AND ') }, leads))
  if (updated !== null)
    return pageByUpdate(shape, updated, served === null ? FEW_UPDATED.alone : FEW_UPDATED.withDays)
  if (served === null) return pageByIndex(shape, 'q.*')
  if (whole === null || partial === null) return rowsOf(pageByIndex(shape, 'q.id'))
  return rowsOf(pageByDay(shape, { whole, partial }, served, created))
}

/** The limit is part of the text: as a parameter it would not be known when the statement is planned. */
function pageByIndex({ limit, conditions, afterCursor }: Shape, selected: 'q.*' | 'q.id'): string {
  return `SELECT ${selected} FROM quotes q WHERE ${conditions} ${afterCursor} ${NEWEST_FIRST} LIMIT ${limit}`
}

/**
 * The rows of the quotes whose ids a query gives; never a deleted one, wherever its id comes from. OFFSET keeps that
 * condition away from the look-up: an index of what is not deleted could be taken for it, which is not by id.
 */
function rowsOf(ids: string): string {
  return `
    SELECT q.* FROM (${ids}) page
    CROSS JOIN LATERAL (SELECT * FROM quotes q WHERE q.company_id = $1 AND q.id = page.id OFFSET 0) q
    WHERE q.deleted_at IS NULL`
}

/** What conditions ask for. */
const FILTERED = `company_id, id, created_at, updated_at, deleted_at, lead_id, location_id, booking_id, event_type_id,
        first_start_time, last_start_time, sent_at, booked_at, lost_at, expires_at`

/** Either way alone can be slow: a few updates among many quotes, or many of which the page needs a few. */
function pageByUpdate({ limit, conditions, afterCursor }: Shape, updated: Range, few: number): string {
  const isUpdated = isWithin('q.updated_at', updated)
  // The sum keeps the index by update out of it: this is the way along the list's own order.
  const byWalk = isWithin(`(q.updated_at + interval '0')`, updated)
  return rowsOf(`
    WITH updated AS MATERIALIZED (
      SELECT ${FILTERED} FROM quotes q
      WHERE q.company_id = $1 AND q.deleted_at IS NULL AND ${isUpdated} LIMIT ${few + 1})
    (SELECT q.id FROM updated q
     WHERE (SELECT count(*) FROM updated) <= ${few} AND ${conditions} ${afterCursor} ${NEWEST_FIRST} LIMIT ${limit})
    UNION ALL
    (SELECT q.id FROM quotes q
     WHERE (SELECT count(*) FROM updated) > ${few} AND ${conditions} AND ${byWalk} ${afterCursor} ${NEWEST_FIRST} LIMIT ${limit})`)
}

/** The newest quotes of each lead, and of them the newest: leads have few quotes. */
function pageByLead({ limit, conditions, afterCursor }: Shape, leads: string): string {
  return `
    SELECT newest.* FROM unnest(${leads}::text[]) AS lead (id) CROSS JOIN LATERAL (
      SELECT q.created_at, q.id FROM quotes q
      WHERE q.lead_id = lead.id AND ${conditions} ${afterCursor} ${NEWEST_FIRST} LIMIT ${limit}
    ) newest
    ORDER BY newest.created_at DESC, newest.id DESC LIMIT ${limit}`
}

/** The newest quotes of each stretch of the range, and of them the newest. */
function pageByDay(
  { limit, afterCursor }: Shape,
  places: { whole: string; partial: string },
  served: Range,
  created: Range | null,
): string {
  const newestOf = (stretches: string, condition = '') => `
    SELECT newest.* FROM unnest(${stretches}::integer[]) AS part (stretch) CROSS JOIN LATERAL (
      SELECT q.created_at, q.id
      FROM (SELECT stretch, quote_created_at AS created_at, quote_id AS id FROM quote_stretches WHERE company_id = $1) q
      WHERE q.stretch = part.stretch
        ${created === null ? '' : `AND ${isWithin('q.created_at', created)}`} ${condition} ${afterCursor}
      ${NEWEST_FIRST} LIMIT ${limit}
    ) newest`
  return `
    SELECT DISTINCT q.created_at, q.id FROM (
      ${newestOf(places.whole)} UNION ALL ${newestOf(places.partial, `AND ${hasDay('q.id', served)}`)}
    ) q
    ${NEWEST_FIRST} LIMIT ${limit}`
}
