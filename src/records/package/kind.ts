/** Packages in the application. */
import { filledText, id, objects } from '../../codec/column-types.ts'
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { defineKind } from '../kind.ts'
import { PACKAGE_COLUMNS } from './columns.ts'

/** The services or add-ons that the lines name. */
const itemsIn = (table: Sql, member: Sql) => sql`
  SELECT i.id, i.name FROM ${table} i
  WHERE i.company_id = $1 AND i.id IN (SELECT l ->> ${member} FROM jsonb_array_elements(t.lines) l)`

export const PACKAGE_ITEMS = {
  items: objects({ id: id('service or add-on'), name: filledText() }).sql(sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name)), '[]') FROM (
      ${itemsIn(sql`services`, sql`'serviceId'`)} UNION ALL ${itemsIn(sql`addons`, sql`'addonId'`)}) i)`),
}

export const PACKAGE_KIND = defineKind(PACKAGE_COLUMNS, {
  path: 'packages',
  noun: 'package',
  label: 'package',
  idPrefix: 'pkg',
  editable: ['name', 'description', 'lines'],
  shown: PACKAGE_ITEMS,
})
