/** Staff members of a company. */
import type { StaffStatus } from '../core/enumerations.ts'
import { isPossibleId } from '../core/ids.ts'
import { columns, queryRows, statement } from './connect.ts'
import type { Db } from './connect.ts'
import { loaderById } from './load.ts'

export interface StaffRow {
  id: string
  firstName: string
  lastName: string
  email: string
  phone: string | null
  role: string | null
  status: StaffStatus
  createdAt: string
  updatedAt: string
}

const FIELDS = 'id firstName lastName email phone role status createdAt updatedAt'

const FIND_STAFF = statement(`SELECT ${columns(FIELDS)} FROM staff WHERE company_id = $1 AND id = $2`)

/** Whatever the status: inactive staff stay readable. */
export async function findStaff(db: Db, companyId: string, id: string): Promise<StaffRow | null> {
  if (!isPossibleId(id)) return null
  return (await queryRows<StaffRow>(db, FIND_STAFF, [companyId, id]))[0] ?? null
}

export const loadStaff = loaderById<StaffRow>(
  'staff',
  FIELDS,
  'last_name COLLATE "C", first_name COLLATE "C", id',
)
