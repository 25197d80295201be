/** Service charge definitions, including archived ones. */
import { publicRecord } from '../../codec/public-record.ts'
import { BY_NAME } from '../../codec/load.ts'
import { SERVICE_CHARGE_COLUMNS } from './columns.ts'

export const { object: SERVICE_CHARGE, load: loadServiceCharges } = publicRecord(SERVICE_CHARGE_COLUMNS, {
  documentation: {
    id: 'ServiceCharge',
    description: 'A service charge on a quote. Archived charges that are attached stay visible.',
  },
  orderBy: BY_NAME,
})
