/** Service days: when the services of a quote take place. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { loaderByOwner } from '../../codec/load.ts'
import { sql } from '../../db/sql.ts'
import { publicObject } from '../../codec/public-object.ts'
import { SERVICE_DAY_COLUMNS } from './columns.ts'

const SERVICE_DAY_FIELDS = defineFields(publicColumns(SERVICE_DAY_COLUMNS))

export const loadServiceDaysOfQuotes = loaderByOwner(
  SERVICE_DAY_COLUMNS,
  SERVICE_DAY_FIELDS,
  sql`quote_id`,
  sql`t.service_start_time, t.id`,
)

export const SERVICE_DAY = publicObject(
  SERVICE_DAY_COLUMNS,
  SERVICE_DAY_FIELDS,
  {},
  { id: 'ServiceDay', description: 'One day of a quote.' },
)
