/** Staff members of a company. */
import { sql } from '../../db/sql.ts'
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { lister } from '../../codec/list.ts'
import { finderById, loaderById } from '../../codec/load.ts'
import { STAFF_COLUMNS } from './columns.ts'

export const STAFF_FIELDS = defineFields(publicColumns(STAFF_COLUMNS))

/** With any status: inactive staff stay readable. */
export const findStaff = finderById(STAFF_COLUMNS, STAFF_FIELDS)

/** Newest first. */
export const listStaff = lister({ recordType: STAFF_COLUMNS, fields: STAFF_FIELDS })

export const loadStaff = loaderById(
  STAFF_COLUMNS,
  STAFF_FIELDS,
  sql`t.last_name COLLATE "C", t.first_name COLLATE "C", t.id`,
)
