/** The categories of equipment, to choose from. */
import { literal, sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

const CATEGORIES_MAX = 200

/** The index resources_by_category has them in this order. */
const LIST = statement(sql`
  SELECT DISTINCT category FROM resources WHERE company_id = $1 AND category <> ''
  ORDER BY category LIMIT ${literal(CATEGORIES_MAX)}`)

export async function listCategories(db: Db, companyId: string): Promise<string[]> {
  const rows = await queryRows<{ category: string }>(db, LIST, [companyId])
  return rows.map(({ category }) => category)
}
