/** Batched lookups: one statement for any number of ids, always within one company. */
import type { Db } from '../db/connect.ts'
import type { RecordType } from './column.ts'
import type { Fields } from './fields.ts'
import type { Packed } from './packed-row.ts'
import { listRows, selectFields } from './select.ts'

export interface IdentifiedRow {
  id: string
}

export type LoadByIds<Row> = (db: Db, companyId: string, ids: readonly string[]) => Promise<Packed<Row>[]>

type AnyRecordType = Pick<RecordType, 'table'>

/** Loads the rows with these ids, in the given order. Ids without a row are skipped. */
export function loaderById<Row>(
  recordType: AnyRecordType,
  fields: Fields<Row>,
  orderBy: string,
): LoadByIds<Row> {
  return loaderBy(recordType, fields, 't.id = ANY($2)', orderBy)
}

/** Loads all rows that belong to these owners, in the given order. */
export function loaderByOwner<Row>(
  recordType: AnyRecordType,
  fields: Fields<Row>,
  ownerColumn: string,
  orderBy: string,
): LoadByIds<Row> {
  return loaderBy(recordType, fields, `t.${ownerColumn} = ANY($2)`, orderBy)
}

export function loaderBy<Row>(
  { table }: AnyRecordType,
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

/** The maximum length of a list to choose from. */
export const CHOICES_MAX = 1_000

/** Order of named definitions: by name, then id, byte by byte. */
export const BY_NAME = 't.name COLLATE "C", t.id'
