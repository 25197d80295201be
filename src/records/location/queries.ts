/** Locations of a company. */
import type { Db } from '../../db/connect.ts'
import { defineFields } from '../../codec/fields.ts'
import { BY_NAME, CHOICES_MAX, loaderById } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'

export interface LocationRow {
  id: string
  name: string
  streetAddress: string | null
  city: string | null
  state: string | null
  zip: string | null
  timeZone: string
}

export const LOCATION_FIELDS = defineFields<LocationRow>('id name streetAddress? city? state? zip? timeZone')

export const loadLocations = loaderById<LocationRow>('locations', LOCATION_FIELDS, 't.id')

const LIST_LOCATIONS = selectFields(LOCATION_FIELDS, {
  from: 'locations t WHERE t.company_id = $1',
  orderBy: `${BY_NAME} LIMIT ${CHOICES_MAX}`,
})

/** Those to choose from, by name. */
export async function listLocations(db: Db, companyId: string): Promise<LocationRow[]> {
  return listObjects(db, LIST_LOCATIONS, [companyId])
}
