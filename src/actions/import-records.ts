/** Imports records of one kind, all or none. It is one change of the company, not one for each record. */
import { z } from 'zod'
import { USERS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { IMPORT_PATHS } from '../core/record-kinds.ts'
import { insertRows } from '../codec/write.ts'
import type { RecordValues } from '../records/kind.ts'
import { kindOf } from '../records/kinds.ts'
import { defineAction } from './action.ts'

const Import = z.strictObject({
  kind: z.enum(IMPORT_PATHS),
  /** The file was checked row by row with the schema of the kind, to name the lines. Each row has the same members. */
  rows: z.custom<readonly RecordValues[]>(Array.isArray),
})

export const importRecords = defineAction({
  name: 'importRecords',
  allowed: USERS,
  input: Import,
  lock: 'last',
  run: async ({ db, companyId, record }, { kind: path, rows }) => {
    const kind = kindOf(path)
    const stored = rows.map((values) => ({ ...values, id: newId(kind.idPrefix) }))
    await insertRows(db, kind.recordType, companyId, kind.editable, stored)
    const company = { object: 'company', id: companyId, members: {} }
    const counts = { [kind.recordType.name]: rows.length }
    record('data.imported', company, null, { data: { counts }, previous: {} })
    return { count: rows.length }
  },
})
