/** Equipment in the application. */
import { asHttpsUrl, bodyShape } from '../../codec/body-schema.ts'
import { text } from '../../codec/column-types.ts'
import { sql } from '../../db/sql.ts'
import { defineKind } from '../kind.ts'
import { RESOURCE_COLUMNS } from './columns.ts'

export const RESOURCE_KIND = defineKind(RESOURCE_COLUMNS, {
  path: 'equipment',
  noun: 'resource',
  label: 'piece of equipment',
  idPrefix: 'res',
  editable: ['name', 'description', 'category', 'locationId', 'status', 'imageUrl'],
  filters: ['category', 'locationId', 'status'],
  schemas: { imageUrl: asHttpsUrl(bodyShape(RESOURCE_COLUMNS, 'imageUrl').imageUrl) },
  shown: {
    locationName: text()
      .nullable()
      .sql(sql`(SELECT l.name FROM locations l WHERE l.company_id = $1 AND l.id = t.location_id)`),
  },
})
