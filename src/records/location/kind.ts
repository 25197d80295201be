/** Locations in the application. */
import { defineKind } from '../kind.ts'
import { LOCATION_COLUMNS } from './columns.ts'

export const LOCATION_KIND = defineKind(LOCATION_COLUMNS, {
  path: 'locations',
  noun: 'location',
  label: 'location',
  idPrefix: 'loc',
  editable: ['name', 'streetAddress', 'city', 'state', 'zip', 'timeZone'],
})
