/** Services and add-ons: two kinds of the same shape. Archived ones are never shown. */
import { defineFields } from '../../codec/fields.ts'
import { BY_NAME, loaderBy } from '../../codec/load.ts'
import type { LoadByIds } from '../../codec/load.ts'
import { listRows, selectFields } from '../../codec/select.ts'

export interface ServiceRow {
  id: string
  name: string
  description: string | null
  imageUrl: string | null
}

/** A service or add-on with the ids of the quotes that have a current line of it. */
export interface QuotedServiceRow extends ServiceRow {
  quoteIds: string[]
}

const FIELDS = 'id name description? imageUrl?'

/** Those of services with quotes begin with the same. */
export const SERVICE_FIELDS = defineFields<ServiceRow>(FIELDS)

const loaderOfCurrent = (table: 'services' | 'addons') =>
  loaderBy<ServiceRow>(table, SERVICE_FIELDS, 't.id = ANY($2) AND t.archived_at IS NULL', BY_NAME)

export const loadServices = loaderOfCurrent('services')
export const loadAddons = loaderOfCurrent('addons')

/** Each once, however many lines it has. */
function loaderOfQuoted(
  table: 'services' | 'addons',
  itemColumn: 'service_id' | 'addon_id',
): LoadByIds<QuotedServiceRow> {
  const fields = defineFields<QuotedServiceRow>(`${FIELDS} quoteIds:list`, { quoteIds: 'used.quote_ids' })
  const load = selectFields(fields, {
    from: `(
        SELECT l.${itemColumn} AS item_id, array_agg(DISTINCT l.quote_id::text) AS quote_ids FROM line_items l
        WHERE l.company_id = $1 AND l.quote_id = ANY($2) AND l.deleted_at IS NULL AND l.${itemColumn} IS NOT NULL
        GROUP BY l.${itemColumn}
      ) used
      JOIN ${table} t ON t.company_id = $1 AND t.id = used.item_id
      WHERE t.archived_at IS NULL`,
    orderBy: BY_NAME,
  })
  return (db, companyId, quoteIds) => listRows(db, load, [companyId, quoteIds])
}

export const loadServicesOfQuotes = loaderOfQuoted('services', 'service_id')
export const loadAddonsOfQuotes = loaderOfQuoted('addons', 'addon_id')
