/** Import of a world: each line is checked and staged as it arrives, then all are merged into the tables, or none. */
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { isDistributed } from '../db/distributed.ts'
import type { Db } from '../db/statement.ts'
import { dropWorkTables } from '../db/work-table.ts'
import {
  countRows,
  findEmpty,
  mergeRows,
  refreshTables,
  removeLeftChildren,
  setUniqueAside,
} from '../db/world-merge.ts'
import { openStaging } from '../db/world-staging.ts'
import type { Line } from '../db/world-staging.ts'
import type { WorldTable } from '../db/world-table.ts'
import { beginImport, commit, describeRefusal, lockImports, rollback } from '../db/world-transaction.ts'
import { refreshStagedAssignments } from '../records/event/assignments.ts'
import { beginPayments } from '../records/payment/derived.ts'
import { beginCalendar } from '../records/quote/calendar-import.ts'
import { endSessionsOfStagedUsers } from '../records/session/queries.ts'
import { id, time } from './field-types.ts'
import { checkTogether } from './import-checks.ts'
import { createDeliveriesBefore, lockStaged, recordImport } from './import-changes.ts'
import { collectFindings } from './import-findings.ts'
import type { Findings, ImportFinding } from './import-findings.ts'
import { splitLines, toBytes } from './import-lines.ts'
import { readRecord } from './import-record.ts'
import { KINDS } from './kinds.ts'

export interface ImportOptions {
  onProgress?: (progress: { lines: number; bytes: number }) => void
}

export interface ImportResult {
  /** The number of imported records: 0 if there are errors. */
  records: number
  errorCount: number
  /** The first of them by line. */
  errors: ImportFinding[]
}

type StagedRows = ReadonlyMap<WorldTable, number>

/**
 * With at least this many staged rows, a table is analyzed before and after the merge, and their foreign keys are checked at
 * once.
 */
const MANY_ROWS = 1_000
/** Derived from quotes and service days. */
const STRETCHES = {
  name: 'quote_stretches',
  columns: ['company_id', 'stretch', 'quote_created_at', 'quote_id'],
  isReadByIndexAlone: true,
}
/** Derived from events. */
const ASSIGNMENTS = {
  name: 'event_assignments',
  columns: ['company_id', 'kind', 'assignee_id', 'event_id'],
  isReadByIndexAlone: false,
}
/** The tables that lists of quotes read with index-only scans. */
const READ_BY_INDEX_ALONE = new Set(['quotes', 'service_days'])

export async function importWorld(
  connection: Connection,
  input: AsyncIterable<Buffer | string>,
  options: ImportOptions = {},
): Promise<ImportResult> {
  return withDb(connection, async (client) => {
    const findings = collectFindings()
    await beginImport(client)
    try {
      const staged = await stageLines(client, input, findings, options)
      await lockImports(client)
      if (isDistributed(client)) await lockStaged(client, staged)
      const empty = await findEmpty(client, [...staged.keys()])
      if ([...staged.keys()].some((table) => areMany(staged, table))) await countAll(client)
      await checkTogether(client, staged, empty, findings)
      if (findings.count() > 0) {
        await rollback(client)
        return { records: 0, errorCount: findings.count(), errors: findings.first() }
      }
      await createDeliveriesBefore(client, staged)
      await mergeAll(client, staged, empty)
      await recordImport(client, staged)
      await dropWorkTables(client)
      await commit(client)
      await refresh(client, staged)
      return { records: countRecords(staged), errorCount: 0, errors: [] }
    } catch (error) {
      await rollback(client)
      throw describeRefusal(error)
    }
  })
}

async function stageLines(
  client: Db,
  input: AsyncIterable<Buffer | string>,
  findings: Findings,
  { onProgress }: ImportOptions,
): Promise<StagedRows> {
  const staging = openStaging(client)
  let bytes = 0
  let current: Line = { number: 0, isPlain: false }
  const addRow = (table: WorldTable, values: readonly (string | null)[]) =>
    staging.add(table, current, values)
  const report = (field: string | null, reason: string) => findings.add(current.number, field, reason)
  const lines = splitLines({
    onLine: (line, text) => {
      // Characters that COPY, array literals or JSON values escape have a backslash in JSON, too.
      current = { number: line, isPlain: !text.includes('\\') }
      if (!isBlank(text)) readRecord(text, addRow, report)
    },
    onUnreadable: (line, reason) => findings.add(line, null, reason),
  })
  for await (const chunk of input) {
    const buffer = toBytes(chunk)
    lines.add(buffer)
    bytes += buffer.length
    await staging.send()
    onProgress?.({ lines: lines.count(), bytes })
  }
  lines.end()
  onProgress?.({ lines: lines.count(), bytes })
  return staging.finish()
}

/** Includes lines that end with CRLF. */
function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text)
}

const areMany = (staged: StagedRows, table: WorldTable) => (staged.get(table) ?? 0) >= MANY_ROWS

/** Also tables without staged rows: owners are looked up in them, and derived data follows from them. */
async function countAll(client: Db): Promise<void> {
  for (const { table, children } of KINDS) {
    await countRows(client, table)
    if (children !== null) await countRows(client, children.table)
  }
  for (const { name, columns } of [STRETCHES, ASSIGNMENTS]) await countRows(client, { name, key: columns })
}

/** In the order of the kinds, owners first. Derived data changes in the same transaction. */
async function mergeAll(client: Db, staged: StagedRows, empty: ReadonlySet<WorldTable>): Promise<void> {
  const updateCalendar = await beginDerived(client, staged, empty)
  const updatePayments = await beginPayments(client, hasTable(staged, 'payments'))
  for (const { table, unique, children, span } of KINDS) {
    if (!staged.has(table)) continue
    const isEmpty = empty.has(table)
    if (unique !== null && !isEmpty) await setUniqueAside(client, table, unique)
    const many = areMany(staged, table)
    await mergeRows(client, table, {
      isEmpty,
      areMany: many,
      span: span !== null && hasTable(staged, span.table) ? span : null,
    })
    // Again with the new rows: later merges join with them.
    if (many) await countRows(client, table)
    if (children === null) continue
    const own = children.table
    await removeLeftChildren(client, table, { ...children, areStaged: staged.has(own) })
    if (!staged.has(own)) continue
    await mergeRows(client, own, { isEmpty: empty.has(own), areMany: areMany(staged, own), span: null })
  }
  await updatePayments()
  await updateCalendar()
  if (hasTable(staged, 'events')) await refreshStagedAssignments(client)
}

/** Derived data depends on the stored rows that the merge replaces, so this comes first. */
async function beginDerived(
  client: Db,
  staged: StagedRows,
  empty: ReadonlySet<WorldTable>,
): Promise<() => Promise<void>> {
  const isEmpty = (name: string) => [...empty].some((table) => table.name === name)
  if (hasTable(staged, 'users') && !isEmpty('users')) await endSessionsOfStagedUsers(client)
  return beginCalendar(client, {
    areQuotesStaged: hasTable(staged, 'quotes'),
    areDaysStaged: hasTable(staged, 'service_days'),
    isEmpty: isEmpty('quotes'),
  })
}

function hasTable(staged: StagedRows, name: string): boolean {
  return [...staged.keys()].some((table) => table.name === name)
}

async function refresh(client: Db, staged: StagedRows): Promise<void> {
  const tables = KINDS.filter(({ table }) => areMany(staged, table)).map(({ table: { name }, shape }) => {
    const columns = shape.fields
      .filter(({ type }) => type === id || type === time)
      .map(({ column }) => column)
    return { name, columns, isReadByIndexAlone: READ_BY_INDEX_ALONE.has(name) }
  })
  if (tables.some(({ isReadByIndexAlone }) => isReadByIndexAlone)) tables.push(STRETCHES)
  if (tables.some(({ name }) => name === 'events')) tables.push(ASSIGNMENTS)
  // The import is complete. Autovacuum would do the same later.
  await refreshTables(client, tables).catch(() => undefined)
}

function countRecords(staged: StagedRows): number {
  return KINDS.reduce((sum, { table }) => sum + (staged.get(table) ?? 0), 0)
}
