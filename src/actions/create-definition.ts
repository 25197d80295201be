/** Creates discounts, service charges and tax rates from the editor of a quote. */
import { USERS } from '../core/callers.ts'
import { NewDiscount, NewServiceCharge, NewTaxRate } from '../core/pricing/definitions.ts'
import { newId } from '../core/ids.ts'
import type { CatalogCharge, CatalogDiscount, CatalogTaxRate } from '../core/quotes/quote-edit.ts'
import { insertRow } from '../codec/write.ts'
import { DISCOUNT_COLUMNS } from '../records/discount/columns.ts'
import { SERVICE_CHARGE_COLUMNS } from '../records/service-charge/columns.ts'
import { TAX_RATE_COLUMNS } from '../records/tax-rate/columns.ts'
import { defineAction } from './action.ts'

const NEW = { found: true, isArchived: false } as const

export const createDiscount = defineAction({
  name: 'createDiscount',
  allowed: USERS,
  input: NewDiscount,
  lock: 'last',
  run: async ({ db, companyId, audit }, input): Promise<CatalogDiscount> => {
    const value =
      input.type === 'PERCENT'
        ? { percentOff: input.percentOff, amountOff: null, currency: null }
        : { percentOff: null, amountOff: input.amountOff, currency: input.currency }
    const discount = { id: newId('disc'), name: input.name, type: input.type, ...value }
    await insertRow(db, DISCOUNT_COLUMNS, companyId, discount)
    audit({ type: 'discount.created', subject: subjectOf('discount', discount) })
    return { ...discount, ...NEW }
  },
})

export const createServiceCharge = defineAction({
  name: 'createServiceCharge',
  allowed: USERS,
  input: NewServiceCharge,
  lock: 'last',
  run: async ({ db, companyId, audit }, input): Promise<CatalogCharge> => {
    const value =
      input.type === 'PERCENT'
        ? { percentage: input.percentage, amountCents: null, currency: null }
        : { percentage: null, amountCents: input.amountCents, currency: input.currency }
    const { name, type, taxable } = input
    const charge = { id: newId('charge'), name, type, ...value, taxable }
    await insertRow(db, SERVICE_CHARGE_COLUMNS, companyId, charge)
    audit({ type: 'service_charge.created', subject: subjectOf('serviceCharge', charge) })
    return { ...charge, ...NEW }
  },
})

export const createTaxRate = defineAction({
  name: 'createTaxRate',
  allowed: USERS,
  input: NewTaxRate,
  lock: 'last',
  run: async ({ db, companyId, audit }, input): Promise<CatalogTaxRate> => {
    const taxRate = { id: newId('tax'), ...input }
    await insertRow(db, TAX_RATE_COLUMNS, companyId, taxRate)
    audit({ type: 'tax_rate.created', subject: subjectOf('taxRate', taxRate) })
    return { ...taxRate, ...NEW }
  },
})

function subjectOf(object: string, { id, name }: { id: string; name: string }) {
  return { object, id, name }
}
