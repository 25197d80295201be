/** The resource object. */
import { publicObject } from '../../codec/public-object.ts'
import { RESOURCE_COLUMNS } from './columns.ts'
import { RESOURCE_FIELDS } from './queries.ts'

export const RESOURCE = publicObject(
  RESOURCE_COLUMNS,
  RESOURCE_FIELDS,
  {},
  { id: 'Resource', description: 'A piece of equipment or another asset that events use.' },
)
