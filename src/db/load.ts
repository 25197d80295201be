/** Batched look-ups: one statement whatever the number of ids, always inside one company. */
import { columns, queryRows, statement } from './connect.ts'
import type { Db } from './connect.ts'

export interface IdentifiedRow {
  id: string
}

export type LoadByIds<Row> = (db: Db, companyId: string, ids: readonly string[]) => Promise<Row[]>

/** Loads the rows with these ids, those that exist, in the given order. */
export function loaderById<Row extends IdentifiedRow>(
  table: string,
  fields: string,
  orderBy: string,
): LoadByIds<Row> {
  const load = statement(
    `SELECT ${columns(fields)} FROM ${table} WHERE company_id = $1 AND id = ANY($2) ORDER BY ${orderBy}`,
  )
  return (db, companyId, ids) => queryRows<Row>(db, load, [companyId, ids])
}

/** Loads the rows that belong to these owners, all of them, in the given order. */
export function loaderByOwner<Row extends IdentifiedRow>(
  table: string,
  fields: string,
  ownerColumn: string,
  orderBy: string,
): LoadByIds<Row> {
  const load = statement(
    `SELECT ${columns(fields)} FROM ${table} WHERE company_id = $1 AND ${ownerColumn} = ANY($2) ORDER BY ${orderBy}`,
  )
  return (db, companyId, ownerIds) => queryRows<Row>(db, load, [companyId, ownerIds])
}

/** Order of named definitions: by name, then id, byte by byte. */
export const BY_NAME = 'name COLLATE "C", id'
