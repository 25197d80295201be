/** The catalog: the services, add-ons, discounts, charges and tax rates that a quote can have. */
import type { Catalogue } from '../../core/quotes/quote-edit.ts'
import type { Db } from '../../db/connect.ts'
import { boolean } from '../../codec/column-types.ts'
import type { Column, Columns, RowOf } from '../../codec/column.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import { BY_NAME } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import type { Select } from '../../codec/select.ts'
import { DISCOUNT_COLUMNS } from '../discount/columns.ts'
import { SERVICE_CHARGE_COLUMNS } from '../service-charge/columns.ts'
import { ADDON_COLUMNS, SERVICE_COLUMNS } from '../service/columns.ts'
import { TAX_RATE_COLUMNS } from '../tax-rate/columns.ts'

/** Of each kind, to limit the size of the response. Requested ids come first. */
const ITEMS_MAX = 2_000

/** The ids of each kind that are always read. */
export type CatalogueIds = Record<keyof Catalogue, readonly string[]>

/** All that are not archived and the requested ones, or only the requested ones. */
type Extent = 'all' | 'some'

const STATE = {
  isArchived: boolean().sql('t.archived_at IS NOT NULL'),
  found: boolean().sql('true') as Column<true>,
}

const ITEM = { ...pick(SERVICE_COLUMNS, 'id', 'name'), isArchived: STATE.isArchived }
const DISCOUNT = {
  ...pick(DISCOUNT_COLUMNS, 'id', 'name', 'type', 'percentOff', 'amountOff', 'currency'),
  ...STATE,
}
const CHARGE = {
  ...pick(SERVICE_CHARGE_COLUMNS, 'id', 'name', 'type', 'percentage', 'amountCents', 'currency', 'taxable'),
  ...STATE,
}
const TAX_RATE = { ...pick(TAX_RATE_COLUMNS, 'id', 'name', 'rate'), ...STATE }

function selectsOf<OwnColumns extends Columns>(
  { table }: { table: string },
  columns: OwnColumns,
): Record<Extent, Select<RowOf<OwnColumns>>> {
  const fields = defineFields(columns)
  const ASKED = 't.id = ANY($2)'
  return {
    all: selectFields(fields, {
      from: `${table} t WHERE t.company_id = $1 AND (t.archived_at IS NULL OR ${ASKED})`,
      orderBy: `(${ASKED}) DESC, ${BY_NAME} LIMIT ${ITEMS_MAX}`,
    }),
    some: selectFields(fields, {
      from: `${table} t WHERE t.company_id = $1 AND ${ASKED}`,
      orderBy: BY_NAME,
    }),
  }
}

const SERVICES = selectsOf(SERVICE_COLUMNS, ITEM)
const ADDONS = selectsOf(ADDON_COLUMNS, ITEM)
const DISCOUNTS = selectsOf(DISCOUNT_COLUMNS, DISCOUNT)
const CHARGES = selectsOf(SERVICE_CHARGE_COLUMNS, CHARGE)
const TAX_RATES = selectsOf(TAX_RATE_COLUMNS, TAX_RATE)

export async function readCatalogue(
  db: Db,
  companyId: string,
  ids: CatalogueIds,
  extent: Extent,
): Promise<Catalogue> {
  return {
    services: await listObjects(db, SERVICES[extent], [companyId, ids.services]),
    addons: await listObjects(db, ADDONS[extent], [companyId, ids.addons]),
    discounts: await listObjects(db, DISCOUNTS[extent], [companyId, ids.discounts]),
    serviceCharges: await listObjects(db, CHARGES[extent], [companyId, ids.serviceCharges]),
    taxRates: await listObjects(db, TAX_RATES[extent], [companyId, ids.taxRates]),
  }
}
