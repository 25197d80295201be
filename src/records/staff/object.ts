/** Staff members of a company, with any status: inactive ones stay readable. */
import { publicRecord } from '../../codec/public-record.ts'
import { lister } from '../../codec/list.ts'
import { sql } from '../../db/sql.ts'
import { STAFF_COLUMNS } from './columns.ts'

export const {
  object: STAFF,
  fields: STAFF_FIELDS,
  find: findStaff,
  load: loadStaff,
} = publicRecord(STAFF_COLUMNS, {
  documentation: {
    id: 'Staff',
    description: 'A person who works at events. Inactive staff can still be read.',
  },
  orderBy: sql`t.last_name COLLATE "C", t.first_name COLLATE "C", t.id`,
})

/** Newest first. */
export const listStaff = lister({ recordType: STAFF_COLUMNS, fields: STAFF_FIELDS })
