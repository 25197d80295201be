/** The catalog: the services, add-ons, discounts, charges and tax rates that a quote can have. */
import type { PackageChoice } from '../../core/quotes/quote-choices.ts'
import type { Catalog, QuoteContent } from '../../core/quotes/quote-edit.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import { readNamedDefinitions } from '../quote/definitions.ts'
import { ADDON_COLUMNS, SERVICE_COLUMNS } from '../service/columns.ts'
import { IS_ARCHIVED, listChoices, selectChoices } from './choices.ts'
import type { Extent } from './choices.ts'

/** The ids of each kind that are always read. */
type CatalogIds = Record<keyof Catalog, readonly string[]>

const ITEM = defineFields({
  ...pick(SERVICE_COLUMNS, 'id', 'name', 'prices', 'unit', 'taxable'),
  ...IS_ARCHIVED,
})
const SERVICES = selectChoices(SERVICE_COLUMNS, ITEM)
const ADDONS = selectChoices(ADDON_COLUMNS, ITEM)

export async function readCatalog(
  db: Db,
  companyId: string,
  ids: CatalogIds,
  extent: Extent,
): Promise<Catalog> {
  return {
    ...(await readItems(db, companyId, ids, extent)),
    ...(await readNamedDefinitions(db, companyId, ids, extent)),
  }
}

/** Services and add-ons with their prices. */
export async function readItems(
  db: Db,
  companyId: string,
  ids: Pick<CatalogIds, 'services' | 'addons'>,
  extent: Extent,
): Promise<Pick<Catalog, 'services' | 'addons'>> {
  return {
    services: await listChoices(db, SERVICES, companyId, ids.services, extent),
    addons: await listChoices(db, ADDONS, companyId, ids.addons, extent),
  }
}

/** With the services and add-ons of packages, which a long catalog can lack. */
export async function addPackageItems(
  db: Db,
  companyId: string,
  catalog: Catalog,
  packages: readonly PackageChoice[],
): Promise<Catalog> {
  const lines = packages.flatMap((one) => one.lines)
  const missing = {
    services: missingIn(catalog.services, distinct(lines.map(({ serviceId }) => serviceId))),
    addons: missingIn(catalog.addons, distinct(lines.map(({ addonId }) => addonId))),
  }
  if (missing.services.length + missing.addons.length === 0) return catalog
  const { services, addons } = await readItems(db, companyId, missing, 'some')
  return {
    ...catalog,
    services: [...catalog.services, ...services],
    addons: [...catalog.addons, ...addons],
  }
}

function missingIn(items: Catalog['services'], ids: readonly string[]): string[] {
  const known = new Set(items.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null)
}

/** The ids that quotes refer to. */
export function idsIn(contents: readonly QuoteContent[]): CatalogIds {
  const lines = contents.flatMap((content) => content.lines)
  return {
    services: distinct(lines.map(({ serviceId }) => serviceId)),
    addons: distinct(lines.map(({ addonId }) => addonId)),
    discounts: distinct([...contents, ...lines].map(({ discountId }) => discountId)),
    serviceCharges: distinct(contents.flatMap(({ serviceChargeIds }) => serviceChargeIds)),
    taxRates: distinct(contents.map(({ taxRateId }) => taxRateId)),
  }
}
