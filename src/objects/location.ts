/** The location object. */
import { z } from 'zod'
import type { LocationRow } from '../db/locations.ts'
import { id, optionalText, text } from './fields.ts'

export const Location = z
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

export function presentLocation(row: LocationRow): z.output<typeof Location> {
  return { object: 'location', ...row }
}
