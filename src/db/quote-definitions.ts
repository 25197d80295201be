/** The discounts, charges and tax rates that prices depend on. They are read in the statement of the quotes they are for. */
import type { Discount, ServiceCharge, TaxRate } from '../core/price-total.ts'
import { defineFields, packedList } from './fields.ts'
import type { Fields } from './fields.ts'

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

/** So many of a kind that most companies have fewer, and few enough to be read with every page. */
const DEFINITIONS_READ_MAX = 120

const allOf = (table: string, { packed }: { packed: string }) => `
  (SELECT ${packedList(packed)}
  FROM (SELECT * FROM ${table} t WHERE t.company_id = $1 LIMIT ${DEFINITIONS_READ_MAX + 1}) t)`

/** Columns with all definitions of the company, or more than are read. */
export const ALL_DEFINITIONS = [
  allOf('discounts', DISCOUNT_FIELDS),
  allOf('service_charges', CHARGE_FIELDS),
  allOf('tax_rates', TAX_RATE_FIELDS),
].join(', ')

/** Undefined when there are more of a kind, or a separator in an id. */
export function unpackDefinitions(lists: readonly (string | null)[]): Definitions | undefined {
  const [discounts, serviceCharges, taxRates] = [
    unpackAll(DISCOUNT_FIELDS, lists[0]),
    unpackAll(CHARGE_FIELDS, lists[1]),
    unpackAll(TAX_RATE_FIELDS, lists[2]),
  ]
  return discounts === undefined || serviceCharges === undefined || taxRates === undefined
    ? undefined
    : { discounts: byId(discounts), serviceCharges: byId(serviceCharges), taxRates: byId(taxRates) }
}

/** What may have been cut off is not all. */
function unpackAll<Found>(fields: Fields<Found, true>, list: string | null | undefined): Found[] | undefined {
  const all = fields.unpack(list, true)
  return all !== undefined && all.length <= DEFINITIONS_READ_MAX ? all : undefined
}

const someOf = (table: string, { columns }: { columns: string }, ids: string) => `
  (SELECT json_agg(d) FROM (SELECT ${columns}, true AS found FROM ${table} t WHERE t.company_id = $1 AND t.id = ANY(${ids})) d)`

/** Columns with the definitions of these ids, each an SQL array. */
export const someDefinitions = (ids: { discounts: string; charges: string; taxRates: string }) =>
  [
    someOf('discounts', DISCOUNT_FIELDS, ids.discounts),
    someOf('service_charges', CHARGE_FIELDS, ids.charges),
    someOf('tax_rates', TAX_RATE_FIELDS, ids.taxRates),
  ].join(', ')

export function readDefinitions([discounts, charges, taxRates]: readonly (string | null)[]): Definitions {
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
