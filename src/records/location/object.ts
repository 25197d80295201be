/** The location object. */
import { z } from 'zod'
import { LOCATION_FIELDS } from './queries.ts'
import { id, optionalText, text } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Location = z
  .strictObject({
    object: z.literal('location'),
    id: id('location'),
    name: z.string(),
    streetAddress: optionalText(),
    city: optionalText(),
    state: optionalText(),
    zip: optionalText(),
    timeZone: text('IANA time zone.'),
  })
  .meta({ id: 'Location', description: 'A place the company works from.' })

export const LOCATION = publicObject(Location, LOCATION_FIELDS, {})
