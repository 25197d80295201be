/** The location object. */
import { publicObject } from '../../codec/public-object.ts'
import { LOCATION_COLUMNS } from './columns.ts'
import { LOCATION_FIELDS } from './queries.ts'

export const LOCATION = publicObject(
  LOCATION_COLUMNS,
  LOCATION_FIELDS,
  {},
  { id: 'Location', description: 'A location of the company.' },
)
