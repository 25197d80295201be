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
  'id quoteId serviceStartTime serviceEndTime createdAt updatedAt',
  'quote_id',
  'service_start_time, id',
)
