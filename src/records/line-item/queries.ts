/** Writes lines of a quote, any number in one statement. */
import { LINE_FIELDS } from '../../core/quotes/quote-edit.ts'
import type { QuoteLine } from '../../core/quotes/quote-edit.ts'
import { columnName, columnOf } from '../../codec/column.ts'
import { identifier, identifiers, join, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

type StoredLine = QuoteLine & { id: string }
export type NewLine = StoredLine & { position: number }

const COLUMNS = identifiers(LINE_FIELDS.map(columnName))
/** The lines that are sent, as rows of the table. */
const SENT = sql`json_populate_recordset(NULL::line_items, $3) s`
const VALUES = join(LINE_FIELDS.map((name) => columnOf('s', name)))

const ADD_LINES = statement(sql`
  INSERT INTO line_items (company_id, quote_id, id, position, ${COLUMNS})
  SELECT $1, $2, s.id, s.position, ${VALUES} FROM ${SENT}`)

const CHANGE_LINES = statement(sql`
  UPDATE line_items l SET ${join(LINE_FIELDS.map((name) => sql`${identifier(columnName(name))} = ${columnOf('s', name)}`))},
    updated_at = now()
  FROM ${SENT}
  WHERE l.company_id = $1 AND l.quote_id = $2 AND l.id = s.id AND l.deleted_at IS NULL`)

const ORDER_LINES = statement(sql`
  UPDATE line_items l SET position = s.position - 1
  FROM unnest($3::text[]) WITH ORDINALITY AS s (id, position)
  WHERE l.company_id = $1 AND l.quote_id = $2 AND l.id = s.id AND l.position IS DISTINCT FROM s.position - 1`)

export async function insertLines(
  db: Db,
  companyId: string,
  quoteId: string,
  lines: readonly NewLine[],
): Promise<void> {
  await queryRows(db, ADD_LINES, [companyId, quoteId, JSON.stringify(lines.map(rowOf))])
}

export async function updateLines(
  db: Db,
  companyId: string,
  quoteId: string,
  lines: readonly StoredLine[],
): Promise<void> {
  await queryRows(db, CHANGE_LINES, [companyId, quoteId, JSON.stringify(lines.map(rowOf))])
}

/** Lines that are at their position already are not written. */
export async function orderLines(
  db: Db,
  companyId: string,
  quoteId: string,
  ids: readonly string[],
): Promise<void> {
  await queryRows(db, ORDER_LINES, [companyId, quoteId, ids])
}

function rowOf(line: object): object {
  return Object.fromEntries(Object.entries(line).map(([name, value]) => [columnName(name), value as unknown]))
}
