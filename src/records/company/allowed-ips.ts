/** The plan of a company, and from where its keys may be used. */
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { COMPANY_COLUMNS } from './columns.ts'

/** An empty list of addresses and CIDR blocks allows any address. */
const ACCESS = defineFields(pick(COMPANY_COLUMNS, 'plan', 'allowedIps'))

const FIND_ACCESS = statement(sql`SELECT ${ACCESS.selectList} FROM companies t WHERE t.id = $1`)

export async function findCompanyAccess(db: Db, companyId: string): Promise<RowIn<typeof ACCESS> | null> {
  return (await queryObjects(db, ACCESS, FIND_ACCESS, [companyId]))[0] ?? null
}

const SET_ALLOWED_IPS = statement(sql`
  UPDATE companies SET allowed_ips = $2, updated_at = now() WHERE id = $1 AND allowed_ips = $3::text[]
  RETURNING id`)

/** Replaces the list. Its entries must satisfy `isNetwork`. False if the stored list is no longer `was`. */
export async function setAllowedIps(
  db: Db,
  companyId: string,
  list: readonly string[],
  was: readonly string[],
): Promise<boolean> {
  return (await queryRows(db, SET_ALLOWED_IPS, [companyId, list, was])).length === 1
}
