/** Services and add-ons: two record types with the same columns. Archived ones are not related to quotes and events. */
import { idList } from '../../codec/column-types.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { archivableLister } from '../../codec/list.ts'
import { BY_NAME, finderById, loaderBy } from '../../codec/load.ts'
import { listRows, selectFields } from '../../codec/select.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { ADDON_COLUMNS, SERVICE_COLUMNS } from './columns.ts'

export const SERVICE_FIELDS = defineFields(publicColumns(SERVICE_COLUMNS))
export const ADDON_FIELDS = defineFields(publicColumns(ADDON_COLUMNS))

export const findService = finderById(SERVICE_COLUMNS, SERVICE_FIELDS)
export const findAddon = finderById(ADDON_COLUMNS, ADDON_FIELDS)

/** Newest first. */
export const listServices = archivableLister({ recordType: SERVICE_COLUMNS, fields: SERVICE_FIELDS })
export const listAddons = archivableLister({ recordType: ADDON_COLUMNS, fields: ADDON_FIELDS })

const CURRENT = sql`t.id = ANY($2) AND t.archived_at IS NULL`

export const loadServices = loaderBy(SERVICE_COLUMNS, SERVICE_FIELDS, CURRENT, BY_NAME)
export const loadAddons = loaderBy(ADDON_COLUMNS, ADDON_FIELDS, CURRENT, BY_NAME)

/** A service or add-on with the ids of the quotes that have a current, selected line of it. It starts with the public columns. */
const QUOTED_FIELDS = defineFields({
  ...publicColumns(SERVICE_COLUMNS),
  quoteIds: idList().sql(sql`used.quote_ids`),
})

/** Each once, for any number of lines. */
function loaderOfQuoted(table: Sql, itemColumn: Sql) {
  const load = selectFields(QUOTED_FIELDS, {
    from: sql`(
        SELECT l.${itemColumn} AS item_id, array_agg(DISTINCT l.quote_id::text) AS quote_ids FROM line_items l
        WHERE l.company_id = $1 AND l.quote_id = ANY($2) AND l.deleted_at IS NULL AND l.selected
          AND l.${itemColumn} IS NOT NULL
        GROUP BY l.${itemColumn}
      ) used
      JOIN ${table} t ON t.company_id = $1 AND t.id = used.item_id
      WHERE t.archived_at IS NULL`,
    orderBy: BY_NAME,
  })
  return (db: Db, companyId: string, quoteIds: readonly string[]) => listRows(db, load, [companyId, quoteIds])
}

export const loadServicesOfQuotes = loaderOfQuoted(sql`services`, sql`service_id`)
export const loadAddonsOfQuotes = loaderOfQuoted(sql`addons`, sql`addon_id`)
