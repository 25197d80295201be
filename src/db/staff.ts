/** Staff members of a company. */
import { isPossibleId } from '../core/ids.ts'
import { queryRows, statement } from './connect.ts'
import type { Db } from './connect.ts'

/** Columns in the order of SELECT. */
export type StaffRow = [
  id: string,
  firstName: string,
  lastName: string,
  email: string,
  phone: string | null,
  role: string | null,
  status: 'active' | 'inactive',
  createdAt: string,
  updatedAt: string,
]

const FIND_STAFF = statement(`
  SELECT id, first_name, last_name, email, phone, role, status, created_at, updated_at
  FROM staff WHERE company_id = $1 AND id = $2`)

/** Whatever the status: inactive staff stay readable. */
export async function findStaff(db: Db, companyId: string, id: string): Promise<StaffRow | null> {
  if (!isPossibleId(id)) return null
  return (await queryRows<StaffRow>(db, FIND_STAFF, [companyId, id]))[0] ?? null
}
