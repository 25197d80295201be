/** The service day object. */
import { z } from 'zod'
import { SERVICE_DAY_FIELDS } from './queries.ts'
import { id, timestamp } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const ServiceDay = z
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

export const SERVICE_DAY = publicObject(ServiceDay, SERVICE_DAY_FIELDS, {})
