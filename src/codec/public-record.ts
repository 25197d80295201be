/** A record type that the API shows column by column: its public object, and how its rows are found. */
import type { Sql } from '../db/sql.ts'
import type { Columns, PublicOf, RecordType, RowOf } from './column.ts'
import { defineFields, publicColumns } from './fields.ts'
import type { Fields } from './fields.ts'
import { finderById, loaderById } from './load.ts'
import { publicObject } from './public-object.ts'
import type { PublicObject } from './public-object.ts'

interface Facts {
  /** How the API documentation names it. */
  documentation?: { id: string; description: string }
  /** Of the rows with some ids; by id if absent. */
  orderBy?: Sql
}

type PublicRow<Table extends Columns> = RowOf<Pick<Table, keyof Table & keyof PublicOf<Table>>>

export function publicRecord<const Name extends string, Table extends Columns>(
  recordType: RecordType<Name, Table>,
  { documentation, orderBy }: Facts = {},
) {
  const fields = defineFields(publicColumns(recordType)) as unknown as Fields<PublicRow<Table>>
  return {
    fields,
    find: finderById(recordType, fields),
    load: loaderById(recordType, fields, orderBy),
    // Nothing is computed, which the compiler cannot know of any table.
    object: publicObject(
      recordType as RecordType,
      fields as never,
      {},
      documentation,
    ) as unknown as PublicObject<PublicRow<Table>, undefined, { object: Name } & PublicOf<Table>>,
  }
}
