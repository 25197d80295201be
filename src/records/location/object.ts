/** Locations of a company. */
import { CHOICES_MAX } from '../../core/quotes/quote-choices.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import { archivableLister } from '../../codec/list.ts'
import { BY_NAME } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { publicRecord } from '../../codec/public-record.ts'
import { LOCATION_COLUMNS } from './columns.ts'

const LOCATIONS = publicRecord(LOCATION_COLUMNS, {
  documentation: { id: 'Location', description: 'A location of the company.' },
})

export const { object: LOCATION, find: findLocation, load: loadLocations } = LOCATIONS

/** Newest first. */
export const listNewestLocations = archivableLister({
  recordType: LOCATION_COLUMNS,
  fields: LOCATIONS.fields,
})

const LIST_LOCATIONS = selectFields(defineFields(pick(LOCATION_COLUMNS, 'id', 'name', 'timeZone')), {
  from: sql`locations t WHERE t.company_id = $1`,
  orderBy: sql`${BY_NAME} LIMIT ${literal(CHOICES_MAX)}`,
})

/** To choose from, by name. */
export async function listLocations(db: Db, companyId: string) {
  return listObjects(db, LIST_LOCATIONS, [companyId])
}
