/** The first steps of a new company, and which of them are done. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

/** Whether each step is done. */
export interface Onboarding {
  /** A service or an add-on. */
  catalog: boolean
  location: boolean
  quote: boolean
  /** An address, and a legal name or a logo. */
  profile: boolean
  /** A second user, or an open invitation. */
  people: boolean
}

const FIND = statement(sql`
  SELECT EXISTS (SELECT 1 FROM services WHERE company_id = $1) OR EXISTS (SELECT 1 FROM addons WHERE company_id = $1) AS catalog,
    EXISTS (SELECT 1 FROM locations WHERE company_id = $1) AS location,
    EXISTS (SELECT 1 FROM quotes WHERE company_id = $1 AND deleted_at IS NULL) AS quote,
    c.street_address IS NOT NULL AND (c.legal_name IS NOT NULL OR c.logo IS NOT NULL) AS profile,
    EXISTS (SELECT 1 FROM users WHERE company_id = $1 OFFSET 1)
      OR EXISTS (SELECT 1 FROM invitations WHERE company_id = $1 AND expires_at > now()) AS people
  FROM companies c WHERE c.id = $1`)

export async function findOnboarding(db: Db, companyId: string): Promise<Onboarding> {
  const [found] = await queryRows<Onboarding>(db, FIND, [companyId])
  if (found === undefined) throw new Error('the company is missing')
  return found
}
