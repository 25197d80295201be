/** The lines of one quote as the quote page and the editor show them. Lists only need tokens (row.ts). */
import { LINE_FIELDS, plainQuantity } from '../../core/quotes/quote-edit.ts'
import type { QuoteLine } from '../../core/quotes/quote-edit.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { filledText } from '../../codec/column-types.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { LINE_ITEM_COLUMNS } from '../line-item/columns.ts'

const nameOf = (table: Sql, id: Sql) =>
  sql`(SELECT i.name FROM ${table} i WHERE i.company_id = $1 AND i.id = ${id})`

const FIELDS = defineFields({
  ...pick(LINE_ITEM_COLUMNS, 'id', ...LINE_FIELDS),
  /** Of the service or add-on; null if it does not exist. */
  itemName: filledText()
    .nullable()
    .sql(sql`coalesce(${nameOf(sql`services`, sql`t.service_id`)}, ${nameOf(sql`addons`, sql`t.addon_id`)})`),
})

export type LineRow = RowIn<typeof FIELDS>

const LINES = sql`line_items WHERE company_id = $1 AND quote_id = $2 AND deleted_at IS NULL`
const selectLines = (from: Sql) =>
  selectFields(FIELDS, { from, orderBy: sql`t.position, t.created_at, t.id` })
const READ = selectLines(sql`(SELECT * FROM ${LINES}) t`)
const READ_AND_LOCK = selectLines(
  sql`(SELECT * FROM ${LINES} ORDER BY position, created_at, id FOR NO KEY UPDATE) t`,
)

/** By position, then in the order they were added, without deleted ones. */
export async function listLines(
  db: Db,
  companyId: string,
  quoteId: string,
  { isLocked }: { isLocked: boolean } = { isLocked: false },
): Promise<LineRow[]> {
  return listObjects(db, isLocked ? READ_AND_LOCK : READ, [companyId, quoteId])
}

/** For the editor. */
export function editableLine({ itemName: _name, ...line }: LineRow): QuoteLine {
  return { ...line, quantity: plainQuantity(line.quantity) }
}
