/** The currencies of the prices of services and add-ons. */
import { identifier, literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { RecordKind } from '../kind.ts'

const CURRENCIES_MAX = 50

/** In the order of the alphabet. */
export async function listCurrencies(
  db: Db,
  companyId: string,
  { recordType: { table } }: RecordKind,
): Promise<string[]> {
  const find = sql`
    SELECT DISTINCT p ->> 'currency' AS currency
    FROM ${identifier(table)} t CROSS JOIN jsonb_array_elements(t.prices) p
    WHERE t.company_id = $1 ORDER BY 1 LIMIT ${literal(CURRENCIES_MAX)}`
  const rows = await queryRows<{ currency: string }>(db, statement(find), [companyId])
  return rows.map(({ currency }) => currency)
}
