/** Making discounts, charges and tax rates. There is no way to change what one is worth. */
import type { NewDiscount, NewServiceCharge, NewTaxRate } from '../core/pricing/definitions.ts'
import { newId } from '../core/ids.ts'
import type { CatalogueCharge, CatalogueDiscount, CatalogueTaxRate } from '../core/quotes/quote-edit.ts'
import { sql } from '../db/sql.ts'
import { queryRows, statement } from '../db/statement.ts'
import type { Db } from '../db/statement.ts'

const ADD_DISCOUNT = statement(sql`
  INSERT INTO discounts (company_id, id, name, type, percent_off, amount_off, currency)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`)

const ADD_CHARGE = statement(sql`
  INSERT INTO service_charges (company_id, id, name, type, percentage, amount_cents, currency, taxable)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`)

const ADD_TAX_RATE = statement(
  sql`INSERT INTO tax_rates (company_id, id, name, rate) VALUES ($1, $2, $3, $4)`,
)

const NEW = { found: true, isArchived: false } as const

export async function createDiscount(
  db: Db,
  companyId: string,
  input: NewDiscount,
): Promise<CatalogueDiscount> {
  const { name, type } = input
  const value =
    type === 'PERCENT'
      ? { percentOff: input.percentOff, amountOff: null, currency: null }
      : { percentOff: null, amountOff: input.amountOff, currency: input.currency }
  const id = newId('disc')
  const { percentOff, amountOff, currency } = value
  await queryRows(db, ADD_DISCOUNT, [companyId, id, name, type, percentOff, amountOff, currency])
  return { id, name, type, ...value, ...NEW }
}

export async function createServiceCharge(
  db: Db,
  companyId: string,
  input: NewServiceCharge,
): Promise<CatalogueCharge> {
  const { name, type, taxable } = input
  const value =
    type === 'PERCENT'
      ? { percentage: input.percentage, amountCents: null, currency: null }
      : { percentage: null, amountCents: input.amountCents, currency: input.currency }
  const id = newId('charge')
  const { percentage, amountCents, currency } = value
  await queryRows(db, ADD_CHARGE, [companyId, id, name, type, percentage, amountCents, currency, taxable])
  return { id, name, type, ...value, taxable, ...NEW }
}

export async function createTaxRate(db: Db, companyId: string, input: NewTaxRate): Promise<CatalogueTaxRate> {
  const id = newId('tax')
  await queryRows(db, ADD_TAX_RATE, [companyId, id, input.name, input.rate])
  return { id, ...input, ...NEW }
}
