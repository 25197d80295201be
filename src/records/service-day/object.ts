/** The service day object. */
import { publicObject } from '../../codec/public-object.ts'
import { SERVICE_DAY_COLUMNS } from './columns.ts'
import { SERVICE_DAY_FIELDS } from './queries.ts'

export const SERVICE_DAY = publicObject(
  SERVICE_DAY_COLUMNS,
  SERVICE_DAY_FIELDS,
  {},
  { id: 'ServiceDay', description: 'One day of a quote.' },
)
