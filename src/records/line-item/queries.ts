/** Writes lines of a quote, any number in one statement. */
import type { QuoteLine } from '../../core/quotes/quote-edit.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export type NewLine = QuoteLine & { id: string }

const COLUMNS = sql`service_day_id, kind, service_id, addon_id, description, quantity, unit_price_cents, price_cents,
  taxable, discount_id`

const SENT = sql`
  SELECT id, "serviceDayId", kind, "serviceId", "addonId", description, quantity, "unitPriceCents", "priceCents",
    taxable, "discountId"
  FROM json_to_recordset($3) AS s (id text, "serviceDayId" text, kind text, "serviceId" text, "addonId" text,
    description text, quantity numeric, "unitPriceCents" bigint, "priceCents" bigint, taxable boolean,
    "discountId" text)`

const ADD_LINES = statement(sql`
  INSERT INTO line_items (company_id, quote_id, id, ${COLUMNS})
  SELECT $1, $2, s.* FROM (${SENT}) s`)

const CHANGE_LINES = statement(sql`
  UPDATE line_items l SET (${COLUMNS}, updated_at) = ROW (s."serviceDayId", s.kind, s."serviceId", s."addonId",
    s.description, s.quantity, s."unitPriceCents", s."priceCents", s.taxable, s."discountId", now())
  FROM (${SENT}) s
  WHERE l.company_id = $1 AND l.quote_id = $2 AND l.id = s.id AND l.deleted_at IS NULL`)

export async function insertLines(
  db: Db,
  companyId: string,
  quoteId: string,
  lines: readonly NewLine[],
): Promise<void> {
  await queryRows(db, ADD_LINES, [companyId, quoteId, JSON.stringify(lines)])
}

export async function updateLines(
  db: Db,
  companyId: string,
  quoteId: string,
  lines: readonly NewLine[],
): Promise<void> {
  await queryRows(db, CHANGE_LINES, [companyId, quoteId, JSON.stringify(lines)])
}
