/** Export of a world: companies by id, for each the kinds in order, their records by id; one moment of the database. */
import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import type { Db } from '../db/statement.ts'
import { readTable } from '../db/world-read.ts'
import type { Fetch } from '../db/world-read.ts'
import type { WorldTable } from '../db/world-table.ts'
import { beginSnapshot, rollback } from '../db/world-transaction.ts'
import { showObject } from './fields.ts'
import type { Field, JsonObject, Shape } from './fields.ts'
import type { Kind } from './kind.ts'
import { KINDS } from './kinds.ts'

/** The columns of each table that are read. */
export type KnownColumns = ReadonlyMap<string, ReadonlySet<string>>

/** Where the reading of a kind is. */
interface Reading {
  kind: Kind
  /** Those that are written, in their order: the id, the company where there is one, and so on. */
  fields: readonly Field[]
  /** The same for its children, if any. */
  childFields: readonly Field[]
  fetch: Fetch
  rows: unknown[][]
  /** The row of these that comes next. */
  next: number
  /** How many rows to fetch next. */
  count: number
  /** The length of the rows as text. */
  characters: number
}

const CHUNK_CHARACTERS = 256 * 1024
const FETCH_AT_FIRST = 20
const FETCH_AT_MOST = 2_000

const ignore = () => undefined

/**
 * Writes the world, or one company of it, and returns the number of records. Rejects when the output fails or is closed before
 * the end.
 */
export async function exportWorld(
  connection: Connection,
  output: Writable,
  companyId: string | null = null,
): Promise<number> {
  // The writer handles a failed write. Without a listener, the error event would end the process.
  output.on('error', ignore)
  const records = await withDb(connection, async (client) => {
    await beginSnapshot(client)
    try {
      return await writeWorld(client, output, companyId)
    } finally {
      await rollback(client)
    }
  })
  output.off('error', ignore)
  return records
}

/** The SHA-256 of the export of a company, in the transaction of the client. */
export async function hashCompany(client: Db, companyId: string): Promise<string> {
  const hash = createHash('sha256')
  await writeWorld(client, hash, companyId)
  return hash.digest('hex')
}

async function writeWorld(client: Db, output: Writable, companyId: string | null): Promise<number> {
  let records = 0
  let chunk = ''
  for await (const lines of readWorld(client, { only: companyId })) {
    records += lines.length
    chunk += lines.join('')
    if (chunk.length < CHUNK_CHARACTERS) continue
    await write(output, chunk)
    chunk = ''
  }
  if (chunk !== '') await write(output, chunk)
  if (records === 0 && companyId !== null) throw new Error(`there is no company ${companyId}`)
  return records
}

/**
 * The lines of an export. All tables are read in parallel, in the order of companies, so the number of queries does not depend on
 * the companies. With `known`, fields in other columns are left out, so that two schemas can be compared.
 */
export async function* readWorld(
  client: Db,
  { only = null, known }: { only?: string | null; known?: KnownColumns } = {},
): AsyncGenerator<string[]> {
  const readings: Reading[] = []
  for (const kind of KINDS)
    if (known === undefined || known.has(kind.table.name))
      readings.push(await openReading(client, kind, only, known))
  for (;;) {
    const companyId = await nextCompany(readings[0])
    if (companyId === null) return
    for (const reading of readings) {
      do yield takeLines(reading, companyId)
      while (reading.next === reading.rows.length && (await hasRows(reading)))
    }
  }
}

/** Companies are the first kind, and their id the first column. */
async function nextCompany(companies: Reading | undefined): Promise<unknown> {
  return companies !== undefined && (await hasRows(companies)) ? companies.rows[companies.next]?.[0] : null
}

const columnsOf = (fields: readonly Field[]) => fields.map((field) => field.column)

async function openReading(
  client: Db,
  kind: Kind,
  companyId: string | null,
  known: KnownColumns | undefined,
): Promise<Reading> {
  const knownOf = (table: WorldTable, { fields }: Shape) =>
    fields.filter((field) => known === undefined || known.get(table.name)?.has(field.column) === true)
  const fields = knownOf(kind.table, kind.shape).filter((field) => field.importOnly !== true)
  const { children } = kind
  const childFields = children === null ? [] : knownOf(children.table, children.shape)
  const fetch = await readTable(
    client,
    kind.table,
    columnsOf(fields),
    childFields.length === 0 ? null : children && { ...children, columns: columnsOf(childFields) },
    companyId,
  )
  return { kind, fields, childFields, fetch, rows: [], next: 0, count: FETCH_AT_FIRST, characters: 0 }
}

/** Whether there is a row to take, fetching more when all have been taken. */
async function hasRows(reading: Reading): Promise<boolean> {
  if (reading.next < reading.rows.length) return true
  const { rows, count, characters } = reading
  if (rows.length > 0) {
    // As many as make a chunk, going by the last ones: a batch of long texts must not fill the memory.
    const fitting = Math.floor((CHUNK_CHARACTERS * rows.length) / characters)
    reading.count = Math.max(1, Math.min(fitting, 4 * count, FETCH_AT_MOST))
  }
  reading.rows = await reading.fetch(reading.count)
  reading.next = 0
  reading.characters = 0
  return reading.rows.length > 0
}

/** The lines of the company's records among the rows at hand. */
function takeLines(reading: Reading, companyId: unknown): string[] {
  const companyIndex = reading.kind.table.key.length - 1
  const lines: string[] = []
  for (; reading.next < reading.rows.length; reading.next++) {
    const row = reading.rows[reading.next]
    if (row === undefined || row[companyIndex] !== companyId) break
    const line = `${JSON.stringify(showRecord(reading, row))}\n`
    reading.characters += line.length
    lines.push(line)
  }
  return lines
}

function showRecord({ kind, fields, childFields }: Reading, row: unknown[]): JsonObject {
  const { children } = kind
  const record = showObject(fields, row, { object: kind.name })
  if (children === null || childFields.length === 0) return record
  const { createdAt, updatedAt, ...others } = record
  const shown = (row[fields.length] as unknown[][]).map((child) => showObject(childFields, child, {}))
  return { ...others, ...(shown.length === 0 ? {} : { [children.name]: shown }), createdAt, updatedAt }
}

/** Waits until the output has taken the text, so that no more is read than is written. */
async function write(output: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onClose = () => reject(new Error('the output was closed before the export was complete'))
    output.once('close', onClose)
    output.write(text, (error) => {
      output.off('close', onClose)
      if (error) reject(error)
      else resolve()
    })
  })
}
