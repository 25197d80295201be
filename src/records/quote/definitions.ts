/**
 * The discounts, charges and tax rates that prices depend on. Lists and single quotes read them without names, in the statement
 * of the quotes. The quote page and the editor read them with names, in separate statements.
 */
import type { Discount, ServiceCharge, TaxRate } from '../../core/pricing/price-total.ts'
import type { Definitions } from '../../core/pricing/resolve-pricing.ts'
import type { Catalog } from '../../core/quotes/quote-edit.ts'
import { boolean } from '../../codec/column-types.ts'
import type { Column } from '../../codec/column.ts'
import { defineFields, packedList, pick } from '../../codec/fields.ts'
import { identifier, join, literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { IS_ARCHIVED, listChoices, selectChoices } from '../catalog/choices.ts'
import type { Extent } from '../catalog/choices.ts'
import { DISCOUNT_COLUMNS } from '../discount/columns.ts'
import { SERVICE_CHARGE_COLUMNS } from '../service-charge/columns.ts'
import { TAX_RATE_COLUMNS } from '../tax-rate/columns.ts'

/** Marked as found for the price calculation. */
const FOUND = { found: boolean().sql(sql`true`) as Column<true> }

const DISCOUNT = pick(DISCOUNT_COLUMNS, 'id', 'type', 'percentOff', 'amountOff', 'currency')
const CHARGE = pick(SERVICE_CHARGE_COLUMNS, 'id', 'type', 'percentage', 'amountCents', 'currency', 'taxable')
const TAX_RATE = pick(TAX_RATE_COLUMNS, 'id', 'rate')

/** Percentages as text, also in JSON. */
const DISCOUNT_FIELDS = defineFields({
  ...DISCOUNT,
  percentOff: DISCOUNT.percentOff.sql(sql`t.percent_off::text`),
  ...FOUND,
})
const CHARGE_FIELDS = defineFields({
  ...CHARGE,
  percentage: CHARGE.percentage.sql(sql`t.percentage::text`),
  ...FOUND,
})
const TAX_RATE_FIELDS = defineFields({ ...TAX_RATE, rate: TAX_RATE.rate.sql(sql`t.rate::text`), ...FOUND })

const NAMED_DISCOUNTS = selectChoices(
  DISCOUNT_COLUMNS,
  defineFields({ ...DISCOUNT, ...pick(DISCOUNT_COLUMNS, 'name'), ...IS_ARCHIVED, ...FOUND }),
)
const NAMED_CHARGES = selectChoices(
  SERVICE_CHARGE_COLUMNS,
  defineFields({ ...CHARGE, ...pick(SERVICE_CHARGE_COLUMNS, 'name'), ...IS_ARCHIVED, ...FOUND }),
)
const NAMED_TAX_RATES = selectChoices(
  TAX_RATE_COLUMNS,
  defineFields({ ...TAX_RATE, ...pick(TAX_RATE_COLUMNS, 'name'), ...IS_ARCHIVED, ...FOUND }),
)

type Kind = 'discounts' | 'serviceCharges' | 'taxRates'

/** One statement for each kind. */
export async function readNamedDefinitions(
  db: Db,
  companyId: string,
  ids: Record<Kind, readonly string[]>,
  extent: Extent,
): Promise<Pick<Catalog, Kind>> {
  return {
    discounts: await listChoices(db, NAMED_DISCOUNTS, companyId, ids.discounts, extent),
    serviceCharges: await listChoices(db, NAMED_CHARGES, companyId, ids.serviceCharges, extent),
    taxRates: await listChoices(db, NAMED_TAX_RATES, companyId, ids.taxRates, extent),
  }
}

type Table = 'discounts' | 'service_charges' | 'tax_rates'

/** For each kind an SQL array of ids. */
export type DefinitionIds = Record<Table, Sql>

type ToColumn = (table: Table, fields: { packed: Sql; selectList: Sql }) => Sql

const columnsOf = (column: ToColumn) =>
  join([
    column('discounts', DISCOUNT_FIELDS),
    column('service_charges', CHARGE_FIELDS),
    column('tax_rates', TAX_RATE_FIELDS),
  ])

const ofCompany = (table: Table) => sql`${identifier(table)} t WHERE t.company_id = $1`

/** Most companies have fewer of each kind. */
const DEFINITIONS_READ_MAX = 120

/** Columns with all definitions of the company, or more than are read. */
export const ALL_DEFINITIONS = columnsOf(
  (table, { packed }) =>
    sql`(SELECT ${packedList(packed)} FROM (SELECT * FROM ${ofCompany(table)} LIMIT ${literal(DEFINITIONS_READ_MAX + 1)}) t)`,
)

/** Columns with the definitions of these ids. */
export const someDefinitions = (ids: DefinitionIds) =>
  columnsOf(
    (table, { packed }) =>
      sql`(SELECT ${packedList(packed)} FROM ${ofCompany(table)} AND t.id = ANY(${ids[table]}))`,
  )

/** The same as JSON, for ids with any characters. */
export const someDefinitionsAsJson = (ids: DefinitionIds) =>
  columnsOf(
    (table, { selectList }) =>
      sql`(SELECT json_agg(d) FROM (
        SELECT ${selectList} FROM ${ofCompany(table)} AND t.id = ANY(${ids[table]})) d)`,
  )

type Lists = readonly (string | null)[]

/** Undefined if an id contains a separator, or there are more than are read. */
export function unpackAllDefinitions(lists: Lists): Definitions | undefined {
  const all = unpackDefinitions(lists)
  const kinds = all === undefined ? [] : [all.discounts, all.serviceCharges, all.taxRates]
  return kinds.some(({ size }) => size > DEFINITIONS_READ_MAX) ? undefined : all
}

/** Undefined if an id contains a separator. */
export function unpackDefinitions(lists: Lists): Definitions | undefined {
  const discounts = DISCOUNT_FIELDS.unpack(lists[0])
  const serviceCharges = CHARGE_FIELDS.unpack(lists[1])
  const taxRates = TAX_RATE_FIELDS.unpack(lists[2])
  return discounts === undefined || serviceCharges === undefined || taxRates === undefined
    ? undefined
    : { discounts: byId(discounts), serviceCharges: byId(serviceCharges), taxRates: byId(taxRates) }
}

export function readDefinitions([discounts, charges, taxRates]: Lists): Definitions {
  return {
    discounts: byId(readFound<Discount>(discounts)),
    serviceCharges: byId(readFound<ServiceCharge>(charges)),
    taxRates: byId(readFound<TaxRate>(taxRates)),
  }
}

function readFound<Found>(json: string | null | undefined): Found[] {
  return json === null || json === undefined ? [] : (JSON.parse(json) as Found[])
}

const NONE = new Map<string, never>()

function byId<Found extends { id: string }>(rows: readonly Found[]): ReadonlyMap<string, Found> {
  return rows.length === 0 ? NONE : new Map(rows.map((row) => [row.id, row]))
}
