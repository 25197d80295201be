/** The discounts, charges and tax rates that prices depend on. They are read in the statement of the quotes they are for. */
import type { Discount, ServiceCharge, TaxRate } from '../../core/pricing/price-total.ts'
import { defineFields, packedList } from '../../codec/fields.ts'

/** What quotes refer to and their prices depend on, by id; what was not found in the company is not there. */
export interface Definitions {
  discounts: ReadonlyMap<string, Discount>
  serviceCharges: ReadonlyMap<string, ServiceCharge>
  taxRates: ReadonlyMap<string, TaxRate>
}

/** Marked as found, as the price rule wants those that are. */
const DISCOUNT_FIELDS = defineFields<Discount, true>(
  'id type:amount percentOff?:amount amountOff?:number currency?:amount found:given',
  { percentOff: 't.percent_off::text' },
)
const CHARGE_FIELDS = defineFields<ServiceCharge, true>(
  'id type:amount percentage?:amount amountCents?:number currency?:amount taxable:boolean found:given',
  { percentage: 't.percentage::text' },
)
const TAX_RATE_FIELDS = defineFields<TaxRate, true>('id rate:amount found:given', { rate: 't.rate::text' })

type Table = 'discounts' | 'service_charges' | 'tax_rates'

/** For each kind an SQL array of ids. */
export type DefinitionIds = Record<Table, string>

type Column = (table: Table, fields: { packed: string; columns: string }) => string

const columnsOf = (column: Column) =>
  [
    column('discounts', DISCOUNT_FIELDS),
    column('service_charges', CHARGE_FIELDS),
    column('tax_rates', TAX_RATE_FIELDS),
  ].join(', ')

const ofCompany = (table: Table) => `${table} t WHERE t.company_id = $1`

/** So many of a kind that most companies have fewer, and few enough to be read with every page. */
const DEFINITIONS_READ_MAX = 120

/** Columns with all definitions of the company, or more than are read. */
export const ALL_DEFINITIONS = columnsOf(
  (table, { packed }) =>
    `(SELECT ${packedList(packed)} FROM (SELECT * FROM ${ofCompany(table)} LIMIT ${DEFINITIONS_READ_MAX + 1}) t)`,
)

/** Columns with the definitions of these ids. */
export const someDefinitions = (ids: DefinitionIds) =>
  columnsOf(
    (table, { packed }) =>
      `(SELECT ${packedList(packed)} FROM ${ofCompany(table)} AND t.id = ANY(${ids[table]}))`,
  )

/** The same in a form that takes whatever an id holds. */
export const someDefinitionsAsJson = (ids: DefinitionIds) =>
  columnsOf(
    (table, { columns }) =>
      `(SELECT json_agg(d) FROM (
        SELECT ${columns}, true AS found FROM ${ofCompany(table)} AND t.id = ANY(${ids[table]})) d)`,
  )

type Lists = readonly (string | null)[]

/** Undefined when there is a separator in an id, or there are more than are read. */
export function unpackAllDefinitions(lists: Lists): Definitions | undefined {
  const all = unpackDefinitions(lists)
  const kinds = all === undefined ? [] : [all.discounts, all.serviceCharges, all.taxRates]
  return kinds.some(({ size }) => size > DEFINITIONS_READ_MAX) ? undefined : all
}

/** Undefined when there is a separator in an id. */
export function unpackDefinitions(lists: Lists): Definitions | undefined {
  const discounts = DISCOUNT_FIELDS.unpack(lists[0], true)
  const serviceCharges = CHARGE_FIELDS.unpack(lists[1], true)
  const taxRates = TAX_RATE_FIELDS.unpack(lists[2], true)
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
