/** Packages in the application. */
import { defineKind } from '../kind.ts'
import { PACKAGE_COLUMNS } from './columns.ts'

export const PACKAGE_KIND = defineKind(PACKAGE_COLUMNS, {
  path: 'packages',
  noun: 'package',
  label: 'package',
  idPrefix: 'pkg',
  editable: ['name', 'description', 'lines'],
})
