/** Service days: when the services of a quote take place. */
import { defineColumns } from '../../codec/column.ts'
import { id, ofCompany, publicTimes, time } from '../../codec/column-types.ts'

export const SERVICE_DAY_COLUMNS = defineColumns('serviceDay', 'service_days', {
  id: id('service day'),
  companyId: ofCompany(),
  quoteId: id('quote').owner(),
  serviceStartTime: time('When the service starts.'),
  serviceEndTime: time('When the service ends.'),
  ...publicTimes('service day'),
})
