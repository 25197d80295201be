/** Writes days of a quote. The calendar of the quote (quote/calendar.ts) must follow them. */
import type { ServiceDay } from '../../core/quotes/quote-details.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

const SENT = sql`
  json_to_recordset($3) AS d (id text, "serviceStartTime" timestamptz, "serviceEndTime" timestamptz)`

const ADD_DAYS = statement(sql`
  INSERT INTO service_days (company_id, quote_id, id, service_start_time, service_end_time)
  SELECT $1, $2, d.id, d."serviceStartTime", d."serviceEndTime" FROM ${SENT}`)

const CHANGE_DAYS = statement(sql`
  UPDATE service_days t SET service_start_time = d."serviceStartTime", service_end_time = d."serviceEndTime",
    updated_at = now()
  FROM ${SENT}
  WHERE t.company_id = $1 AND t.quote_id = $2 AND t.id = d.id`)

const REMOVE_DAYS = statement(sql`
  DELETE FROM service_days WHERE company_id = $1 AND quote_id = $2 AND id = ANY($3)`)

export async function insertServiceDays(
  db: Db,
  companyId: string,
  quoteId: string,
  days: readonly ServiceDay[],
): Promise<void> {
  await queryRows(db, ADD_DAYS, [companyId, quoteId, JSON.stringify(days)])
}

export async function updateServiceDays(
  db: Db,
  companyId: string,
  quoteId: string,
  days: readonly ServiceDay[],
): Promise<void> {
  await queryRows(db, CHANGE_DAYS, [companyId, quoteId, JSON.stringify(days)])
}

export async function deleteServiceDays(
  db: Db,
  companyId: string,
  quoteId: string,
  ids: readonly string[],
): Promise<void> {
  await queryRows(db, REMOVE_DAYS, [companyId, quoteId, ids])
}
