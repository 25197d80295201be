/** Keys, companies, emails and forms of a cell: each identifies the cell of a request for a proxy. */
import { foldedEmail, sql } from '../../db/sql.ts'
import { queryRows, unpreparedStatement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export interface CellRoute {
  /** `k:` and the hash of a key, `c:` and a company tag, `u:` and the hash of an email, or `f:` and the slug of a form. */
  route: string
  /** The company moves to another cell, and is there already if that cell has the same route. */
  isLeaving: boolean
}

/** As companyTag in core/security/company-tag.ts. */
const TAG = sql`translate(encode(convert_to(id, 'UTF8'), 'base64'), '+/=' || chr(10), '-_')`
const EMAIL_HASH = sql`encode(sha256(convert_to(${foldedEmail(sql`email`)}, 'UTF8')), 'hex')`

const LIST = unpreparedStatement(sql`
  SELECT r.route, bool_and(m.moving_to IS NOT NULL) AS "isLeaving"
  FROM (
    SELECT company_id, 'k:' || key_hash FROM api_keys WHERE revoked_at IS NULL
    UNION ALL SELECT id, 'c:' || ${TAG} FROM companies
    UNION ALL SELECT company_id, 'u:' || ${EMAIL_HASH} FROM users WHERE disabled_at IS NULL
    UNION ALL SELECT company_id, 'f:' || slug FROM forms WHERE slug IS NOT NULL
  ) r (company_id, route) LEFT JOIN change_counters m ON m.company_id = r.company_id
  GROUP BY r.route`)

/** Of all companies of a cell. */
export async function listCellRoutes(db: Db): Promise<CellRoute[]> {
  return queryRows(db, LIST, [])
}
