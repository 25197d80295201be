/** The parts of a revision besides the quote itself: location, payment terms and contract. */
import { sql } from '../../db/sql.ts'
import { statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, ofTable, pick } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { CONTRACT_COLUMNS } from '../contract/columns.ts'
import { LOCATION_COLUMNS } from '../location/columns.ts'
import { PAYMENT_TERMS_COLUMNS } from '../payment-terms/columns.ts'
import type { Revision } from '../../core/quotes/revision.ts'

const { columns: terms } = PAYMENT_TERMS_COLUMNS

const SOURCES = defineFields({
  location: LOCATION_COLUMNS.columns.name.nullable().sql(sql`l.name`),
  contractName: CONTRACT_COLUMNS.columns.name.nullable().sql(sql`c.name`),
  contractContent: CONTRACT_COLUMNS.columns.content.sql(sql`c.content`),
  termsName: terms.name.nullable().sql(sql`p.name`),
  paymentSchedule: terms.paymentSchedule.nullable().sql(sql`p.payment_schedule`),
  invoiceDueDays: terms.invoiceDueDays.nullable().sql(sql`p.invoice_due_days`),
  ...ofTable('p', pick(PAYMENT_TERMS_COLUMNS, 'depositType', 'depositPercentage', 'depositAmountCents')),
})

const FIND = statement(sql`
  SELECT ${SOURCES.selectList} FROM quotes q
    LEFT JOIN locations l ON l.company_id = $1 AND l.id = q.location_id
    LEFT JOIN contracts c ON c.company_id = $1 AND c.id = q.contract_id
    LEFT JOIN payment_terms p ON p.company_id = $1 AND p.id = q.payment_terms_id
  WHERE q.company_id = $1 AND q.id = $2`)

export interface RevisionSources {
  location: string | null
  contract: { name: string; content: string | null } | null
  terms: Revision['terms']
}

export async function findRevisionSources(
  db: Db,
  companyId: string,
  quoteId: string,
): Promise<RevisionSources> {
  const [row] = await queryObjects(db, SOURCES, FIND, [companyId, quoteId])
  if (row === undefined) throw new Error('the quote is missing')
  const { location, contractName, contractContent, termsName, paymentSchedule, invoiceDueDays, ...deposit } =
    row
  return {
    location,
    contract: contractName === null ? null : { name: contractName, content: contractContent },
    terms:
      termsName === null || paymentSchedule === null
        ? null
        : { name: termsName, paymentSchedule, invoiceDueDays: invoiceDueDays ?? 0, ...deposit },
  }
}
