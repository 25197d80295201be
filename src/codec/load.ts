/** Batched lookups: one statement for any number of ids, always within one company. */
import { isPossibleId } from '../core/ids.ts'
import { identifier, sql } from '../db/sql.ts'
import type { Sql } from '../db/sql.ts'
import type { Db } from '../db/statement.ts'
import type { RecordType } from './column.ts'
import type { Fields } from './fields.ts'
import type { Packed } from './packed-row.ts'
import { findRow, listRows, selectFields } from './select.ts'

export interface IdentifiedRow {
  id: string
}

export type LoadByIds<Row> = (db: Db, companyId: string, ids: readonly string[]) => Promise<Packed<Row>[]>

type AnyRecordType = Pick<RecordType, 'table'>

export type FindById<Row> = (db: Db, companyId: string, id: string) => Promise<Packed<Row> | null>

/** Finds the row with this id; null if the company has none. */
export function finderById<Row>({ table }: AnyRecordType, fields: Fields<Row>): FindById<Row> {
  const find = selectFields(fields, {
    from: sql`${identifier(table)} t WHERE t.company_id = $1 AND t.id = $2`,
    orderBy: sql`t.id`,
  })
  return async (db, companyId, id) => (isPossibleId(id) ? findRow(db, find, [companyId, id]) : null)
}

/** Finds it for a change, and locks it: a concurrent import waits. */
export function lockerById<Row>({ table }: AnyRecordType, fields: Fields<Row>): FindById<Row> {
  const find = selectFields(fields, {
    from: sql`(SELECT * FROM ${identifier(table)} WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE) t`,
    orderBy: sql`t.id`,
  })
  return async (db, companyId, id) => (isPossibleId(id) ? findRow(db, find, [companyId, id]) : null)
}

/** Loads the rows with these ids, in the given order. Ids without a row are skipped. */
export function loaderById<Row>(
  recordType: AnyRecordType,
  fields: Fields<Row>,
  orderBy: Sql = sql`t.id`,
): LoadByIds<Row> {
  return loaderBy(recordType, fields, sql`t.id = ANY($2)`, orderBy)
}

/** Loads all rows that belong to these owners, in the given order. */
export function loaderByOwner<Row>(
  recordType: AnyRecordType,
  fields: Fields<Row>,
  ownerColumn: Sql,
  orderBy: Sql,
): LoadByIds<Row> {
  return loaderBy(recordType, fields, sql`t.${ownerColumn} = ANY($2)`, orderBy)
}

export function loaderBy<Row>(
  { table }: AnyRecordType,
  fields: Fields<Row>,
  condition: Sql,
  orderBy: Sql,
): LoadByIds<Row> {
  const load = selectFields(fields, {
    from: sql`${identifier(table)} t WHERE t.company_id = $1 AND ${condition}`,
    orderBy,
  })
  return (db, companyId, ids) => listRows(db, load, [companyId, ids])
}

/** Order of named definitions: by name, then id, byte by byte. */
export const BY_NAME = sql`t.name COLLATE "C", t.id`
