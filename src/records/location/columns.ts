/** Locations: the places a company works from. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, filledText, id, ofCompany, text, time, timeZone } from '../../codec/column-types.ts'

export const LOCATION_COLUMNS = defineColumns('location', 'locations', {
  id: id('location'),
  companyId: ofCompany(),
  name: filledText(),
  streetAddress: text().nullable(),
  city: text().nullable(),
  state: text().nullable(),
  zip: text().nullable(),
  timeZone: timeZone('IANA time zone.'),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
