/** Services and add-ons: two kinds of the same shape. Archived ones are never shown. */
import { BY_NAME } from './load.ts'
import type { LoadByIds } from './load.ts'
import { columns, queryRows, statement } from './connect.ts'

export interface ServiceRow {
  id: string
  name: string
  description: string | null
  imageUrl: string | null
}

function loaderOfCurrent(table: 'services' | 'addons'): LoadByIds<ServiceRow> {
  const load = statement(`
    SELECT ${columns('id name description imageUrl')} FROM ${table}
    WHERE company_id = $1 AND id = ANY($2) AND archived_at IS NULL
    ORDER BY ${BY_NAME}`)
  return (db, companyId, ids) => queryRows<ServiceRow>(db, load, [companyId, ids])
}

export const loadServices = loaderOfCurrent('services')
export const loadAddons = loaderOfCurrent('addons')
