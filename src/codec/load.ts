/** Batched look-ups: one statement whatever the number of ids, always inside one company. */
import type { Db } from '../db/connect.ts'
import type { Fields } from './fields.ts'
import type { Packed } from './packed-row.ts'
import { listRows, selectFields } from './select.ts'

export interface IdentifiedRow {
  id: string
}

export type LoadByIds<Row> = (db: Db, companyId: string, ids: readonly string[]) => Promise<Packed<Row>[]>

/** Loads the rows with these ids, those that exist, in the given order. */
export function loaderById<Row extends IdentifiedRow>(
  table: string,
  fields: Fields<Row>,
  orderBy: string,
): LoadByIds<Row> {
  return loaderBy<Row>(table, fields, 't.id = ANY($2)', orderBy)
}

/** Loads the rows that belong to these owners, all of them, in the given order. */
export function loaderByOwner<Row extends IdentifiedRow>(
  table: string,
  fields: Fields<Row>,
  ownerColumn: string,
  orderBy: string,
): LoadByIds<Row> {
  return loaderBy<Row>(table, fields, `t.${ownerColumn} = ANY($2)`, orderBy)
}

export function loaderBy<Row extends IdentifiedRow>(
  table: string,
  fields: Fields<Row>,
  condition: string,
  orderBy: string,
): LoadByIds<Row> {
  const load = selectFields(fields, {
    from: `${table} t WHERE t.company_id = $1 AND ${condition}`,
    orderBy,
  })
  return (db, companyId, ids) => listRows(db, load, [companyId, ids])
}

/** Nobody chooses from a longer list. */
export const CHOICES_MAX = 1_000

/** Order of named definitions: by name, then id, byte by byte. */
export const BY_NAME = 't.name COLLATE "C", t.id'
