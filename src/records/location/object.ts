/** Locations of a company. */
import { CHOICES_MAX } from '../../core/quotes/quote-choices.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { defineFields, pick, publicColumns } from '../../codec/fields.ts'
import { archivableLister } from '../../codec/list.ts'
import { BY_NAME, finderById, loaderById } from '../../codec/load.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { publicObject } from '../../codec/public-object.ts'
import { LOCATION_COLUMNS } from './columns.ts'

const LOCATION_FIELDS = defineFields(publicColumns(LOCATION_COLUMNS))

export const findLocation = finderById(LOCATION_COLUMNS, LOCATION_FIELDS)

/** Newest first. */
export const listNewestLocations = archivableLister({ recordType: LOCATION_COLUMNS, fields: LOCATION_FIELDS })

export const loadLocations = loaderById(LOCATION_COLUMNS, LOCATION_FIELDS)

const LIST_LOCATIONS = selectFields(defineFields(pick(LOCATION_COLUMNS, 'id', 'name', 'timeZone')), {
  from: sql`locations t WHERE t.company_id = $1`,
  orderBy: sql`${BY_NAME} LIMIT ${literal(CHOICES_MAX)}`,
})

/** To choose from, by name. */
export async function listLocations(db: Db, companyId: string) {
  return listObjects(db, LIST_LOCATIONS, [companyId])
}

export const LOCATION = publicObject(
  LOCATION_COLUMNS,
  LOCATION_FIELDS,
  {},
  { id: 'Location', description: 'A location of the company.' },
)
