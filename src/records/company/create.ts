/** Creates companies. */
import type { Plan } from '../../core/enumerations.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export interface NewCompany {
  id: string
  name: string
  plan: Plan
  country: string
  currency: string
  timeZone: string
  locale: string | null
}

const CREATE = statement(sql`
  INSERT INTO companies (id, name, plan, country, currency, time_zone, locale) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

export async function insertCompany(db: Db, company: NewCompany): Promise<void> {
  const { id, name, plan, country, currency, timeZone, locale } = company
  await queryRows(db, CREATE, [id, name, plan, country, currency, timeZone, locale])
}
