/** The staff object. */
import { publicObject } from '../../codec/public-object.ts'
import { STAFF_COLUMNS } from './columns.ts'
import { STAFF_FIELDS } from './queries.ts'

export const STAFF = publicObject(
  STAFF_COLUMNS,
  STAFF_FIELDS,
  {},
  { id: 'Staff', description: 'A person who works at events. Inactive staff can still be read.' },
)
