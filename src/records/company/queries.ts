/** Companies. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

const ANY_COMPANY = statement(sql`SELECT 1 FROM companies LIMIT 1`)

export async function hasCompanies(db: Db): Promise<boolean> {
  return (await queryRows(db, ANY_COMPANY, [])).length > 0
}

const FIND_CURRENCY = statement(sql`SELECT currency FROM companies WHERE id = $1`)

/** The currency of new quotes. */
export async function findCurrency(db: Db, companyId: string): Promise<string> {
  const [company] = await queryRows<{ currency: string }>(db, FIND_CURRENCY, [companyId])
  if (company === undefined) throw new Error('the company is missing')
  return company.currency
}

const LIST_COMPANY_IDS = statement(sql`SELECT id FROM companies ORDER BY id`)

export async function listCompanyIds(db: Db): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, LIST_COMPANY_IDS, [])).map(({ id }) => id)
}
