/** Creates companies. */
import type { RowOf } from '../../codec/column.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { COMPANY_COLUMNS } from './columns.ts'

type Stored = RowOf<typeof COMPANY_COLUMNS.columns>
type Required = Pick<Stored, 'id' | 'name' | 'plan' | 'currency' | 'country' | 'timeZone'>

/** Imports can bring companies without a country or time zone, but new ones have both. */
export type NewCompany = { [Name in keyof Required]: NonNullable<Required[Name]> } & Pick<Stored, 'locale'>

const CREATE = statement(sql`
  INSERT INTO companies (id, name, plan, country, currency, time_zone, locale) VALUES ($1, $2, $3, $4, $5, $6, $7)`)

export async function insertCompany(db: Db, company: NewCompany): Promise<void> {
  const { id, name, plan, country, currency, timeZone, locale } = company
  await queryRows(db, CREATE, [id, name, plan, country, currency, timeZone, locale])
}
