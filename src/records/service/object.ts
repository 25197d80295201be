/** Services and add-ons: two record types with the same columns. Archived ones are not related to quotes and events. */
import { idList } from '../../codec/column-types.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { archivableLister } from '../../codec/list.ts'
import { BY_NAME, loaderBy } from '../../codec/load.ts'
import { publicRecord } from '../../codec/public-record.ts'
import { listRows, selectFields } from '../../codec/select.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { ADDON_COLUMNS, SERVICE_COLUMNS } from './columns.ts'

const SERVICES = publicRecord(SERVICE_COLUMNS, {
  documentation: { id: 'Service', description: 'A service the company offers.' },
})
const ADDONS = publicRecord(ADDON_COLUMNS, {
  documentation: { id: 'Addon', description: 'An add-on to services.' },
})

export const { object: SERVICE, find: findService } = SERVICES
export const { object: ADDON, find: findAddon } = ADDONS

/** Newest first. */
export const listServices = archivableLister({ recordType: SERVICE_COLUMNS, fields: SERVICES.fields })
export const listAddons = archivableLister({ recordType: ADDON_COLUMNS, fields: ADDONS.fields })

const CURRENT = sql`t.id = ANY($2) AND t.archived_at IS NULL`

export const loadServices = loaderBy(SERVICE_COLUMNS, SERVICES.fields, CURRENT, BY_NAME)
export const loadAddons = loaderBy(ADDON_COLUMNS, ADDONS.fields, CURRENT, BY_NAME)

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
