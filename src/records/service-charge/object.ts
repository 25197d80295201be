/** The service charge object: its definition, not the amount it comes to. */
import { publicObject } from '../../codec/public-object.ts'
import { SERVICE_CHARGE_COLUMNS } from './columns.ts'
import { SERVICE_CHARGE_FIELDS } from './queries.ts'

export const SERVICE_CHARGE = publicObject(
  SERVICE_CHARGE_COLUMNS,
  SERVICE_CHARGE_FIELDS,
  {},
  {
    id: 'ServiceCharge',
    description: 'A service charge on a quote. Archived charges that are attached stay visible.',
  },
)
