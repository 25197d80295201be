/** Imports contacts, services and add-ons from CSV: a dry run with the errors of each row, then all rows or none. */
import { setImmediate as nextIteration } from 'node:timers/promises'
import { z } from 'zod'
import { guessMapping, isImportTarget } from '../core/import-columns.ts'
import type { ImportMapping } from '../core/import-columns.ts'
import { IMPORT_PATHS } from '../core/record-kinds.ts'
import type { ImportPath } from '../core/record-kinds.ts'
import { ApiError } from '../core/requests/errors.ts'
import { runAction } from '../actions/action.ts'
import { importRecords } from '../actions/import-records.ts'
import { NO_CONTACT_IN_WORDS, hasContact } from '../actions/lead-input.ts'
import type { RecordKind, RecordValues } from '../records/kind.ts'
import { RECORD_KINDS } from '../records/kinds.ts'
import { findCurrency } from '../records/company/queries.ts'
import { countSameEmails } from '../records/lead/same-email.ts'
import { findExtraCell, readCsv } from './import-file.ts'
import type { CsvTable } from './import-file.ts'
import { contactValues, itemValues } from './import-values.ts'
import type { RowError } from './import-values.ts'
import { consoleRoute } from './route.ts'

interface ImportError extends RowError {
  /** The number of the line in the file. */
  line: number
}

interface Errors {
  /** The first of them. */
  errors: ImportError[]
  /** Of all errors. A row can have several. */
  errorCount: number
  invalidRowCount: number
}

export interface ImportAnswer extends Errors {
  headers: string[]
  mapping: ImportMapping
  rowCount: number
  /** The first records of the result. */
  sample: RecordValues[]
  /** Contacts with the email address of a stored one. Of a dry run. */
  sameEmailCount: number
  /** Of imported records. 0 after a dry run. */
  importedCount: number
}

const ERRORS_MAX = 100
const SAMPLE_MAX = 5
/** Rows that are checked before other requests get on. */
const BATCH = 500
/** Base64 takes four characters for three bytes, and the mapping some more. */
const BODY_MAX_BYTES = 7 * 1024 * 1024

const inputOf = (path: ImportPath) =>
  z.strictObject({
    file: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Send the file in base64.'),
    /** Absent: guessed from the headers. */
    mapping: z
      .record(
        z.string().refine((name) => isImportTarget(path, name), 'This column cannot be imported.'),
        z.int().min(0).max(1_000),
      )
      .optional(),
    dryRun: z.boolean(),
  })

const importRoute = (kind: RecordKind, path: ImportPath) =>
  consoleRoute({
    method: 'POST',
    path: `/console/${path}/import`,
    isCreation: true,
    bodyMaxBytes: BODY_MAX_BYTES,
    input: inputOf(path),
    answer: async ({ db, action, companyId, input }): Promise<ImportAnswer> => {
      const table = await readCsv(input.file)
      const currency = await findCurrency(db, companyId)
      const mapping = input.mapping ?? guessMapping(path, table.headers, currency)
      const { rows, ...errors } = await readRows(kind, table, mapping, currency)
      const emails =
        input.dryRun && path === 'contacts'
          ? rows.flatMap(({ email }) => (typeof email === 'string' ? [email] : []))
          : []
      const answer = {
        headers: table.headers,
        mapping,
        rowCount: table.rows.length,
        sample: rows.slice(0, SAMPLE_MAX),
        ...errors,
        sameEmailCount: emails.length === 0 ? 0 : await countSameEmails(db, companyId, emails),
        importedCount: 0,
      }
      if (input.dryRun) return answer
      refuseErrors(errors)
      const { count } = await runAction(action, importRecords, { kind: path, rows })
      return { ...answer, importedCount: count }
    },
  })

/** The dry run has shown them. */
function refuseErrors({ errors: [first], invalidRowCount: count }: Errors): void {
  if (first === undefined) return
  const message = `Nothing was imported: ${count === 1 ? '1 row has' : `${count} rows have`} errors. Line ${first.line}: ${first.message.replace(/\.?$/, '.')}`
  throw new ApiError('invalid_body', { message, details: { file: { _errors: [message] } } })
}

async function readRows(
  kind: RecordKind,
  table: CsvTable,
  mapping: ImportMapping,
  currency: string,
): Promise<Errors & { rows: RecordValues[] }> {
  const numbers = { currency, hasDecimalComma: table.separator === ';' }
  const read: RecordValues[] = []
  const errors: ImportError[] = []
  let errorCount = 0
  let invalidRowCount = 0
  for (const [i, { line, cells }] of table.rows.entries()) {
    if (i % BATCH === BATCH - 1) await nextIteration()
    const { values, errors: found } =
      kind.noun === null
        ? { values: contactValues(cells, mapping), errors: [] }
        : itemValues(cells, mapping, numbers)
    const message = findExtraCell(table, cells)
    const all = message === null ? [...found, ...checkRow(kind, values)] : [{ target: null, message }]
    if (all.length === 0) read.push(withAllColumns(kind, values))
    else invalidRowCount++
    errorCount += all.length
    if (errors.length < ERRORS_MAX) errors.push(...all.map((error) => ({ line, ...error })))
  }
  return { rows: read, errors: errors.slice(0, ERRORS_MAX), errorCount, invalidRowCount }
}

function checkRow(kind: RecordKind, values: RecordValues): RowError[] {
  const { error } = kind.NewValues.safeParse(values)
  const errors = (error?.issues ?? []).map(({ path, message }) => ({
    target: typeof path[0] === 'string' ? path[0] : null,
    message: path[0] === 'name' && values['name'] === undefined ? 'is missing' : message,
  }))
  const isNobody = kind.noun === null && errors.length === 0 && !hasContact(values)
  return isNobody ? [{ target: null, message: NO_CONTACT_IN_WORDS }] : errors
}

/** One statement inserts all rows, so they have the same members. */
const withAllColumns = ({ editable }: RecordKind, values: RecordValues): RecordValues =>
  Object.fromEntries(editable.map((name) => [name, values[name] ?? null]))

export const importRoutes = RECORD_KINDS.flatMap((kind) => {
  const path = IMPORT_PATHS.find((one) => one === kind.path)
  return path === undefined ? [] : [importRoute(kind, path)]
})
