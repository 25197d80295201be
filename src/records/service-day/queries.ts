/** Service days: when the services of a quote take place. */
import { defineFields } from '../../codec/fields.ts'
import { loaderByOwner } from '../../codec/load.ts'

export interface ServiceDayRow {
  id: string
  quoteId: string
  serviceStartTime: string
  serviceEndTime: string
  createdAt: string
  updatedAt: string
}

export const SERVICE_DAY_FIELDS = defineFields<ServiceDayRow>(
  'id quoteId serviceStartTime:time serviceEndTime:time createdAt:time updatedAt:time',
)

export const loadServiceDaysOfQuotes = loaderByOwner<ServiceDayRow>(
  'service_days',
  SERVICE_DAY_FIELDS,
  'quote_id',
  't.service_start_time, t.id',
)
