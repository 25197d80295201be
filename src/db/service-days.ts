/** Service days: when the services of a quote take place. */
import { loaderByOwner } from './load.ts'

export interface ServiceDayRow {
  id: string
  quoteId: string
  serviceStartTime: string
  serviceEndTime: string
  createdAt: string
  updatedAt: string
}

export const loadServiceDaysOfQuotes = loaderByOwner<ServiceDayRow>(
  'service_days',
  'id quoteId serviceStartTime:time serviceEndTime:time createdAt:time updatedAt:time',
  'quote_id',
  't.service_start_time, t.id',
)
