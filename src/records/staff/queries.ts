/** Staff members of a company. */
import { isPossibleId } from '../../core/ids.ts'
import { sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { loaderById } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { findRow, selectFields } from '../../codec/select.ts'
import { STAFF_COLUMNS } from './columns.ts'

export const STAFF_FIELDS = defineFields(publicColumns(STAFF_COLUMNS))

type StaffRow = RowIn<typeof STAFF_FIELDS>

const FIND_STAFF = selectFields(STAFF_FIELDS, {
  from: sql`staff t WHERE t.company_id = $1 AND t.id = $2`,
  orderBy: sql`t.id`,
})

/** With any status: inactive staff stay readable. */
export async function findStaff(db: Db, companyId: string, id: string): Promise<Packed<StaffRow> | null> {
  if (!isPossibleId(id)) return null
  return findRow(db, FIND_STAFF, [companyId, id])
}

export const loadStaff = loaderById(
  STAFF_COLUMNS,
  STAFF_FIELDS,
  sql`t.last_name COLLATE "C", t.first_name COLLATE "C", t.id`,
)
