/** What a quote can be made of: the services, add-ons, discounts, charges and tax rates of a company. */
import type {
  Catalogue,
  CatalogueCharge,
  CatalogueDiscount,
  CatalogueItem,
  CatalogueTaxRate,
} from '../../core/quotes/quote-edit.ts'
import type { Db } from '../../db/connect.ts'
import { defineFields } from '../../codec/fields.ts'
import type { Fields } from '../../codec/fields.ts'
import { BY_NAME } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import type { Select } from '../../codec/select.ts'

/** Of each kind; more are no choice for people, but would be a very large answer. Those that are asked for come first. */
const ITEMS_MAX = 2_000

/** The ids of each kind that are read whatever else. */
export type CatalogueIds = Record<keyof Catalogue, readonly string[]>

/** All that are not archived, or only those that are asked for. */
type Extent = 'all' | 'some'

const ARCHIVED = { isArchived: 't.archived_at IS NOT NULL' }
const FOUND = { ...ARCHIVED, found: 'true' }

const ITEM = defineFields<CatalogueItem>('id name isArchived:boolean', ARCHIVED)
const DISCOUNT = defineFields<CatalogueDiscount>(
  'id name isArchived:boolean found:boolean type:amount percentOff?:amount amountOff?:number currency?:amount',
  FOUND,
)
const CHARGE = defineFields<CatalogueCharge>(
  `id name isArchived:boolean found:boolean type:amount percentage?:amount amountCents?:number currency?:amount
  taxable:boolean`,
  FOUND,
)
const TAX_RATE = defineFields<CatalogueTaxRate>('id name isArchived:boolean found:boolean rate:amount', FOUND)

function selectsOf<Row>(table: string, fields: Fields<Row>): Record<Extent, Select<Row>> {
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

const SERVICES = selectsOf('services', ITEM)
const ADDONS = selectsOf('addons', ITEM)
const DISCOUNTS = selectsOf('discounts', DISCOUNT)
const CHARGES = selectsOf('service_charges', CHARGE)
const TAX_RATES = selectsOf('tax_rates', TAX_RATE)

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
