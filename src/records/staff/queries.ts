/** Staff members of a company. */
import type { StaffStatus } from '../../core/enumerations.ts'
import { isPossibleId } from '../../core/ids.ts'
import type { Db } from '../../db/connect.ts'
import { defineFields } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { findRow, selectFields } from '../../codec/select.ts'

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

export const STAFF_FIELDS = defineFields<StaffRow>(
  'id firstName lastName email phone? role? status createdAt:time updatedAt:time',
)

const FIND_STAFF = selectFields(STAFF_FIELDS, {
  from: 'staff t WHERE t.company_id = $1 AND t.id = $2',
  orderBy: 't.id',
})

/** Whatever the status: inactive staff stay readable. */
export async function findStaff(db: Db, companyId: string, id: string): Promise<Packed<StaffRow> | null> {
  if (!isPossibleId(id)) return null
  return findRow(db, FIND_STAFF, [companyId, id])
}

export const loadStaff = loaderById<StaffRow>(
  'staff',
  STAFF_FIELDS,
  't.last_name COLLATE "C", t.first_name COLLATE "C", t.id',
)
