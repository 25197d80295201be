/** Maintains the data derived from quotes and service days (calendar.ts) for the rows that an import changes. */
import { join, sql } from '../../db/sql.ts'
import { run } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { fillWorkTable, lockRows } from '../../db/work-table.ts'
import { stagedName } from '../../db/world-table.ts'
import { DAYS_OF_QUOTE, addStretches, removeStretches, setStartTimes, stretchesOf } from './calendar.ts'

const STAGED_QUOTES = stagedName({ name: 'quotes' })
const STAGED_DAYS = stagedName({ name: 'service_days' })

/** Which of the two kinds an import contains, and whether the database was empty. */
export interface CalendarImport {
  areQuotesStaged: boolean
  areDaysStaged: boolean
  /** No quotes are stored, so no service days either. */
  isEmpty: boolean
}

/** The other columns of a quote do not matter. An import without a creation time keeps the stored one. */
const QUOTES_THAT_CHANGE = sql`
  SELECT q.company_id, q.id AS quote_id FROM quotes q
  JOIN ${STAGED_QUOTES} s ON s.company_id = q.company_id AND s.id = q.id
  WHERE (q.created_at, q.deleted_at IS NULL) <> (coalesce(s.created_at, q.created_at), s.deleted_at IS NULL)`

/** The owner of a day that is new or changes, and its owner before. */
const OWNERS_OF_DAYS_THAT_CHANGE = sql`
  SELECT s.company_id, owner.quote_id FROM ${STAGED_DAYS} s
  LEFT JOIN service_days d ON d.company_id = s.company_id AND d.id = s.id
  CROSS JOIN LATERAL (VALUES (s.quote_id), (d.quote_id)) AS owner (quote_id)
  WHERE owner.quote_id IS NOT NULL AND (d.quote_id, d.service_start_time) IS DISTINCT FROM
    (s.quote_id, s.service_start_time)`

const CHANGED = sql`changed_quotes c JOIN quotes q ON q.company_id = c.company_id AND q.id = c.quote_id`
/** With their days. OFFSET makes it one lookup per quote, whatever the planner knows about the tables. */
const CHANGED_WITH_DAYS = sql`${CHANGED}
  LEFT JOIN LATERAL (
    SELECT service_start_time FROM service_days
    WHERE company_id = q.company_id AND quote_id = q.id OFFSET 0) d ON true`

const STRETCHES_OF_CHANGED = stretchesOf(CHANGED_WITH_DAYS)

/**
 * Call it before the staged rows are merged, and the function it returns afterwards. It locks the quotes, so that
 * concurrent changes to them and their days wait.
 */
export async function beginCalendar(client: Db, rows: CalendarImport): Promise<() => Promise<void>> {
  const { areQuotesStaged, areDaysStaged, isEmpty } = rows
  if (!areQuotesStaged && !areDaysStaged) return async () => undefined
  if (isEmpty) return () => addAll(client)
  const changes = [
    ...(areQuotesStaged ? [QUOTES_THAT_CHANGE] : []),
    ...(areDaysStaged ? [OWNERS_OF_DAYS_THAT_CHANGE] : []),
  ]
  // Each quote once, however many of its days change.
  const changed = sql`SELECT DISTINCT * FROM (${join(changes, sql` UNION ALL `)}) c`
  if ((await fillWorkTable(client, 'changed_quotes', 'quotes', changed)) === 0) return async () => undefined
  await lockRows(
    client,
    sql`
    WITH locked AS (SELECT 1 FROM ${CHANGED} ORDER BY q.company_id, q.id FOR NO KEY UPDATE OF q)
    SELECT count(*) FROM locked`,
  )
  const count = await fillWorkTable(client, 'stretches_before', 'quotes', STRETCHES_OF_CHANGED)
  return async () => {
    if (count > 0) {
      await run(client, removeStretches(sql`SELECT * FROM stretches_before EXCEPT ${STRETCHES_OF_CHANGED}`))
    }
    await run(client, addStretches(STRETCHES_OF_CHANGED))
    if (areDaysStaged) await run(client, setStartTimes(CHANGED_WITH_DAYS))
  }
}

/** The import inserted every quote there is, with its start times. */
async function addAll(client: Db): Promise<void> {
  await run(client, addStretches(stretchesOf(sql`quotes q JOIN ${DAYS_OF_QUOTE}`)))
}
