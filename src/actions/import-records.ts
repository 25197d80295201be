/** Imports records of one kind, all or none. It is one change of the company, not one for each record. */
import { newId } from '../core/ids.ts'
import { insertRows } from '../codec/write.ts'
import type { RecordKind, RecordValues } from '../records/kind.ts'
import { defineAction } from './action.ts'

interface Import {
  kind: RecordKind
  /** Checked by the schema of the kind. Each has the same members. */
  rows: readonly RecordValues[]
}

export const importRecords = defineAction({
  name: 'importRecords',
  lock: 'last',
  run: async ({ db, companyId, record }, { kind, rows }: Import) => {
    const stored = rows.map((values) => ({ ...values, id: newId(kind.idPrefix) }))
    await insertRows(db, kind.recordType, companyId, kind.editable, stored)
    const company = { object: 'company', id: companyId, members: {} }
    const counts = { [kind.recordType.name]: rows.length }
    record('data.imported', company, null, { data: { counts }, previous: {} })
    return { count: rows.length }
  },
})
