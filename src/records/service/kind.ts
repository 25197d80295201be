/** Services and add-ons in the application. */
import { asHttpsUrl, bodyShape } from '../../codec/body-schema.ts'
import { defineKind } from '../kind.ts'
import { ADDON_COLUMNS, SERVICE_COLUMNS } from './columns.ts'

const ITEM = {
  editable: ['name', 'description', 'prices', 'unit', 'taxable', 'imageUrl'],
  schemas: { imageUrl: asHttpsUrl(bodyShape(SERVICE_COLUMNS, 'imageUrl').imageUrl) },
} as const

export const SERVICE_KIND = defineKind(SERVICE_COLUMNS, {
  path: 'services',
  noun: 'service',
  label: 'service',
  idPrefix: 'srv',
  ...ITEM,
})

export const ADDON_KIND = defineKind(ADDON_COLUMNS, {
  path: 'addons',
  noun: 'addon',
  label: 'add-on',
  idPrefix: 'addon',
  ...ITEM,
})
