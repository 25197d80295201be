/** Adds days to a quote. The calendar of the quote (quote/calendar.ts) must be derived afterwards. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

interface NewDay {
  id: string
  serviceStartTime: string
  serviceEndTime: string
}

const ADD_DAYS = statement(sql`
  INSERT INTO service_days (company_id, quote_id, id, service_start_time, service_end_time)
  SELECT $1, $2, d.id, d."serviceStartTime", d."serviceEndTime"
  FROM json_to_recordset($3) AS d (id text, "serviceStartTime" timestamptz, "serviceEndTime" timestamptz)`)

export async function insertServiceDays(
  db: Db,
  companyId: string,
  quoteId: string,
  days: readonly NewDay[],
): Promise<void> {
  await queryRows(db, ADD_DAYS, [companyId, quoteId, JSON.stringify(days)])
}
