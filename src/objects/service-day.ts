/** The service day object. */
import { z } from 'zod'
import { isoFromPostgres } from '../core/datetime.ts'
import type { ServiceDayRow } from '../db/service-days.ts'
import { id, isoTimes, timestamp } from './fields.ts'

export const ServiceDay = z
  .strictObject({
    object: z.literal('serviceDay'),
    id: id('service day'),
    quoteId: id('quote'),
    serviceStartTime: timestamp('When the service starts.'),
    serviceEndTime: timestamp('When the service ends.'),
    createdAt: timestamp('When the service day was created.'),
    updatedAt: timestamp('When the service day was last changed.'),
  })
  .meta({ id: 'ServiceDay', description: 'One day of a quote.' })

export function presentServiceDay(row: ServiceDayRow): z.output<typeof ServiceDay> {
  return {
    object: 'serviceDay',
    ...row,
    serviceStartTime: isoFromPostgres(row.serviceStartTime),
    serviceEndTime: isoFromPostgres(row.serviceEndTime),
    ...isoTimes(row),
  }
}
