/** Locations of a company. */
import { loaderById } from './load.ts'

export interface LocationRow {
  id: string
  name: string
  streetAddress: string | null
  city: string | null
  state: string | null
  zip: string | null
  timeZone: string
}

export const loadLocations = loaderById<LocationRow>(
  'locations',
  'id name streetAddress? city? state? zip? timeZone',
  't.id',
)
