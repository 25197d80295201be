/**
 * Data derived from quotes and their service days, which makes filters by service day fast: the rows of quote_stretches, and
 * the first and last start time of each quote. A statement that changes service days, or the creation or deletion of a quote,
 * must maintain both in the same transaction: imports (calendar-import.ts) and actions that write days do. Here it is also
 * compared with the rows it is derived from, and corrected.
 */
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement, unpreparedStatement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/**
 * The stretches of `from`, which names `quotes q` and their days `d`. A deleted quote has none: it is never listed. CASE instead
 * of WHERE, because the planner would expect too few rows behind "deleted_at IS NULL" in a table without statistics.
 */
export const stretchesOf = (from: Sql) => sql`
  SELECT DISTINCT q.company_id, x.stretch, q.created_at AS quote_created_at, q.id AS quote_id
  FROM ${from}
  CROSS JOIN unnest(
    CASE WHEN q.deleted_at IS NULL AND d.service_start_time IS NOT NULL THEN stretches_of(d.service_start_time) END
  ) AS x (stretch)`

export const DAYS_OF_QUOTE = sql`service_days d ON d.company_id = q.company_id AND d.quote_id = q.id`

const insertStretches = (found: Sql) => sql`
  INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id) ${found} ORDER BY 1, 2, 3, 4`

/** Ordered by the key and without ON CONFLICT: both together are four times as fast for many rows. */
export const addStretches = (found: Sql) =>
  insertStretches(sql`
  SELECT * FROM (${found}) f
  WHERE NOT EXISTS (
    SELECT 1 FROM quote_stretches s
    WHERE s.company_id = f.company_id AND s.stretch = f.stretch
      AND s.quote_created_at = f.quote_created_at AND s.quote_id = f.quote_id)`)

export const removeStretches = (found: Sql) => sql`
  DELETE FROM quote_stretches s USING (${found}) f
  WHERE s.company_id = f.company_id AND s.stretch = f.stretch
    AND s.quote_created_at = f.quote_created_at AND s.quote_id = f.quote_id`

/** Sets the start times of the quotes `q` that a query finds together with their days `d`. */
export const setStartTimes = (from: Sql) => sql`
  UPDATE quotes t SET first_start_time = span.first, last_start_time = span.last
  FROM (
    SELECT q.company_id, q.id, min(d.service_start_time) AS first, max(d.service_start_time) AS last
    FROM ${from} GROUP BY q.company_id, q.id
  ) span
  WHERE t.company_id = span.company_id AND t.id = span.id
    AND (t.first_start_time, t.last_start_time) IS DISTINCT FROM (span.first, span.last)`

const ONE_QUOTE = sql`(SELECT * FROM quotes WHERE company_id = $1 AND id = $2) q LEFT JOIN ${DAYS_OF_QUOTE}`
const REMOVE_OF_ONE = statement(removeStretches(stretchesOf(ONE_QUOTE)))
const ADD_OF_ONE = statement(addStretches(stretchesOf(ONE_QUOTE)))
const SET_OF_ONE = statement(setStartTimes(ONE_QUOTE))

/** Before the days of a quote change: the rows are found by the old days. */
export async function forgetCalendar(db: Db, companyId: string, quoteId: string): Promise<void> {
  await queryRows(db, REMOVE_OF_ONE, [companyId, quoteId])
}

/** After a quote got its days. */
export async function deriveCalendar(db: Db, companyId: string, quoteId: string): Promise<void> {
  await queryRows(db, ADD_OF_ONE, [companyId, quoteId])
  await queryRows(db, SET_OF_ONE, [companyId, quoteId])
}

const QUOTES = sql`(SELECT * FROM quotes WHERE company_id = $1) q`
const DERIVED = stretchesOf(sql`${QUOTES} JOIN ${DAYS_OF_QUOTE}`)
const STORED = sql`SELECT company_id, stretch, quote_created_at, quote_id FROM quote_stretches WHERE company_id = $1`
const MISSING = sql`${DERIVED} EXCEPT ${STORED}`
const EXTRA = sql`${STORED} EXCEPT ${DERIVED}`

const WRONG_STRETCHES = unpreparedStatement(sql`
  SELECT DISTINCT quote_id AS id FROM ((${MISSING}) UNION ALL (${EXTRA})) wrong ORDER BY 1`)
const WRONG_START_TIMES = unpreparedStatement(sql`
  SELECT q.id FROM ${QUOTES} LEFT JOIN ${DAYS_OF_QUOTE}
  GROUP BY q.company_id, q.id, q.first_start_time, q.last_start_time
  HAVING (q.first_start_time, q.last_start_time) IS DISTINCT FROM (min(d.service_start_time), max(d.service_start_time))
  ORDER BY 1`)

export interface CalendarErrors {
  /** Ids of quotes. */
  stretches: string[]
  startTimes: string[]
}

/** The quotes of a company whose derived data is wrong. Reads all its quotes and service days. */
export async function findCalendarErrors(db: Db, companyId: string): Promise<CalendarErrors> {
  const read = async (wrong: typeof WRONG_STRETCHES) =>
    (await queryRows<{ id: string }>(db, wrong, [companyId])).map(({ id }) => id)
  return { stretches: await read(WRONG_STRETCHES), startTimes: await read(WRONG_START_TIMES) }
}

const REMOVE_EXTRA = unpreparedStatement(removeStretches(EXTRA))
const ADD_MISSING = unpreparedStatement(insertStretches(sql`SELECT * FROM (${MISSING}) f`))
const SET_START_TIMES = unpreparedStatement(setStartTimes(sql`${QUOTES} LEFT JOIN ${DAYS_OF_QUOTE}`))

/** Derives everything again, and writes what differs. The caller holds the import lock: no import may run meanwhile. */
export async function repairCalendar(db: Db, companyId: string): Promise<void> {
  for (const repair of [REMOVE_EXTRA, ADD_MISSING, SET_START_TIMES]) await queryRows(db, repair, [companyId])
}
