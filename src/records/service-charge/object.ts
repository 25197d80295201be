/** Service charge definitions, including archived ones. */
import { defineFields, publicColumns } from '../../codec/fields.ts'
import { BY_NAME, loaderById } from '../../codec/load.ts'
import { publicObject } from '../../codec/public-object.ts'
import { SERVICE_CHARGE_COLUMNS } from './columns.ts'

const SERVICE_CHARGE_FIELDS = defineFields(publicColumns(SERVICE_CHARGE_COLUMNS))

export const loadServiceCharges = loaderById(SERVICE_CHARGE_COLUMNS, SERVICE_CHARGE_FIELDS, BY_NAME)

export const SERVICE_CHARGE = publicObject(
  SERVICE_CHARGE_COLUMNS,
  SERVICE_CHARGE_FIELDS,
  {},
  {
    id: 'ServiceCharge',
    description: 'A service charge on a quote. Archived charges that are attached stay visible.',
  },
)
