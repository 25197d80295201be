/** The filters of a list of quotes as SQL: what a quote must satisfy, and what follows the cursor. */

const ID_COLUMNS = {
  leadId: 'lead_id',
  locationId: 'location_id',
  bookingId: 'booking_id',
  eventTypeId: 'event_type_id',
} as const

export const ID_NAMES = Object.keys(ID_COLUMNS) as (keyof typeof ID_COLUMNS)[]

/** Two places of times: the first instant of a range, and the first one after it. */
export type Range = [from: string, before: string]

/** SQL of what a quote must satisfy, with the parameter of each filter. */
interface Filter {
  conditions: string[]
  /** The same and the range of updates, which pages find in other ways. */
  withUpdated: string[]
  created: Range | null
  updated: Range | null
  served: Range | null
}

/** The parameter of a filter, or null: `names` says what is in the place of the same number. */
export function placeIn(names: readonly string[], name: string): string | null {
  return names.includes(name) ? `$${names.indexOf(name) + 1}` : null
}

function rangeIn(names: readonly string[], name: string): Range | null {
  const [from, before] = [placeIn(names, `${name}From`), placeIn(names, `${name}Before`)]
  return from === null || before === null ? null : [`${from}::timestamptz`, `${before}::timestamptz`]
}

export function filterOf(names: readonly string[]): Filter {
  const place = (name: string) => placeIn(names, name)
  const created = rangeIn(names, 'created')
  const updated = rangeIn(names, 'updated')
  const served = rangeIn(names, 'served')
  const conditions = ['q.company_id = $1', 'q.deleted_at IS NULL']
  for (const name of ID_NAMES) {
    const id = place(name)
    if (id !== null) conditions.push(`q.${ID_COLUMNS[name]} = ${id}`)
  }
  if (created !== null) conditions.push(isWithin('q.created_at', created))
  if (served !== null) conditions.push(...dayConditions(served))
  conditions.push(...stateConditions(place('state'), place('expiredAt'), place('openAt')))
  const withUpdated = updated === null ? conditions : [...conditions, isWithin('q.updated_at', updated)]
  return { conditions, withUpdated, created, updated, served }
}

export function isWithin(column: string, [from, before]: Range): string {
  return `${column} >= ${from} AND ${column} < ${before}`
}

/** Most quotes without a day in the range show by their first and last; the indexes of the filters hold both. */
function dayConditions(served: Range): string[] {
  const [from, before] = served
  return [`q.last_start_time >= ${from}`, `q.first_start_time < ${before}`, hasDay('q.id', served)]
}

/** As the index by state has it; the rest of that index tells those that have expired. */
function stateConditions(state: string | null, expiredAt: string | null, openAt: string | null): string[] {
  if (state === null) return []
  const conditions = [`quote_state(q.sent_at, q.booked_at, q.lost_at) = ${state}::text`]
  if (expiredAt !== null) conditions.push(`q.expires_at <= ${expiredAt}::timestamptz`)
  if (openAt !== null) conditions.push(`(q.expires_at IS NULL OR q.expires_at > ${openAt}::timestamptz)`)
  return conditions
}

/** A value and not EXISTS: that could be planned as a join with all days of the range. */
export function hasDay(quoteId: string, served: Range): string {
  return `(
    SELECT true FROM service_days d
    WHERE d.company_id = $1 AND d.quote_id = ${quoteId} AND ${isWithin('d.service_start_time', served)} LIMIT 1)`
}

export function cursorText(names: readonly string[]): string | null {
  const cursor = placeIn(names, 'cursor')
  if (cursor === null) return null
  const leads = placeIn(names, 'leads')
  const { withUpdated } = filterOf(names)
  const conditions = leads === null ? withUpdated : [...withUpdated, `q.lead_id = ANY(${leads}::text[])`]
  return `SELECT q.created_at, q.id FROM quotes q WHERE ${conditions.join(' AND ')} AND q.id = ${cursor}`
}

/**
 * The cursor is a subquery with the same filters: if it finds nothing the comparison is null, and the page empty.
 * Comparing (created_at, id) as a row lets the index begin right there, at any depth.
 */
export function cursorCondition(names: readonly string[]): string {
  const anyCursor = placeIn(names, 'anyCursor')
  const row =
    anyCursor === null
      ? cursorText(names)
      : `SELECT q.created_at, q.id FROM quotes q WHERE q.company_id = $1 AND q.id = ${anyCursor}`
  return row === null ? '' : `AND (q.created_at, q.id) < (${row})`
}
