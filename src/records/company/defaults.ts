/** Choices for the defaults of new quotes: records that are not archived, and those that are chosen already. */
import { CHOICES_MAX } from '../../core/quotes/quote-choices.ts'
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { CompanyProfile } from './profile.ts'

interface Choice {
  id: string
  name: string
  /** Of a charge that is an amount. */
  currency: string | null
  /** New quotes do not get it. */
  isArchived: boolean
}

export interface DefaultChoices {
  taxRates: Choice[]
  paymentTerms: Choice[]
  contracts: Choice[]
  serviceCharges: Choice[]
}

const chosenOf = (table: 'taxRates' | 'paymentTerms' | 'contracts' | 'serviceCharges') => {
  const sources = {
    taxRates: { name: sql`tax_rates`, chosen: sql`t.id = $2`, currency: sql`NULL` },
    paymentTerms: { name: sql`payment_terms`, chosen: sql`t.id = $3`, currency: sql`NULL` },
    contracts: { name: sql`contracts`, chosen: sql`t.id = $4`, currency: sql`NULL` },
    serviceCharges: { name: sql`service_charges`, chosen: sql`t.id = ANY($5)`, currency: sql`t.currency` },
  }
  const { name, chosen, currency } = sources[table]
  return sql`coalesce((
    SELECT json_agg(json_build_object(
      'id', t.id, 'name', t.name, 'currency', ${currency}, 'isArchived', t.archived_at IS NOT NULL))
    FROM (
      SELECT * FROM ${name} t WHERE t.company_id = $1 AND (t.archived_at IS NULL OR coalesce(${chosen}, false))
      ORDER BY coalesce(${chosen}, false) DESC, t.name_order, t.id LIMIT ${literal(CHOICES_MAX)}
    ) t), '[]')`
}

const LIST = statement(sql`
  SELECT ${chosenOf('taxRates')} AS "taxRates", ${chosenOf('paymentTerms')} AS "paymentTerms",
    ${chosenOf('contracts')} AS contracts, ${chosenOf('serviceCharges')} AS "serviceCharges"`)

export async function listDefaults(
  db: Db,
  companyId: string,
  profile: CompanyProfile,
): Promise<DefaultChoices> {
  const { defaultTaxRateId, defaultPaymentTermsId, defaultContractId, defaultServiceChargeIds } = profile
  const values = [
    companyId,
    defaultTaxRateId,
    defaultPaymentTermsId,
    defaultContractId,
    defaultServiceChargeIds,
  ]
  const [choices] = await queryRows<DefaultChoices>(db, LIST, values)
  if (choices === undefined) throw new Error('the statement returned no row')
  return choices
}
