/** The service and add-on objects: definitions, without quantities and prices. */
import { publicObject } from '../../codec/public-object.ts'
import { ADDON_COLUMNS, SERVICE_COLUMNS } from './columns.ts'
import { ADDON_FIELDS, SERVICE_FIELDS } from './queries.ts'

export const SERVICE = publicObject(
  SERVICE_COLUMNS,
  SERVICE_FIELDS,
  {},
  { id: 'Service', description: 'A service the company offers.' },
)

export const ADDON = publicObject(
  ADDON_COLUMNS,
  ADDON_FIELDS,
  {},
  { id: 'Addon', description: 'An add-on to services.' },
)
