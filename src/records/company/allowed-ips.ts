/** What a company's plan is, and from where its keys may be used. */
import type { Plan } from '../../core/enumerations.ts'
import { columns, queryRows, statement } from '../../db/connect.ts'
import type { Db } from '../../db/connect.ts'

export interface CompanyAccess {
  plan: Plan
  /** Addresses and CIDR blocks; none: any address may call. */
  allowedIps: string[]
}

const FIND_ACCESS = statement(`SELECT ${columns('plan allowedIps')} FROM companies WHERE id = $1`)

export async function findCompanyAccess(db: Db, companyId: string): Promise<CompanyAccess | null> {
  return (await queryRows<CompanyAccess>(db, FIND_ACCESS, [companyId]))[0] ?? null
}

const SET_ALLOWED_IPS = statement(`
  UPDATE companies SET allowed_ips = $2, updated_at = now() WHERE id = $1 AND allowed_ips = $3::text[]
  RETURNING id`)

/** Replaces the list, each entry of which `isNetwork` takes; false when it is no longer the one that was changed. */
export async function setAllowedIps(
  db: Db,
  companyId: string,
  list: readonly string[],
  was: readonly string[],
): Promise<boolean> {
  return (await queryRows(db, SET_ALLOWED_IPS, [companyId, list, was])).length === 1
}
