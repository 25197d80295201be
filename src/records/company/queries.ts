/** Companies. */
import { queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'

const ANY_COMPANY = statement('SELECT 1 FROM companies LIMIT 1')

export async function hasCompanies(db: Db): Promise<boolean> {
  return (await queryRows(db, ANY_COMPANY, [])).length > 0
}

const LIST_COMPANY_IDS = statement('SELECT id FROM companies ORDER BY id')

export async function listCompanyIds(db: Db): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, LIST_COMPANY_IDS, [])).map(({ id }) => id)
}
