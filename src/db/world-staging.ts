/** The rows of an import on their way: gathered by table, sent with COPY, kept in temporary tables until the merge. */
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

export interface Staging {
  /** Takes a row: the line it came from, and its columns in the order of the table's. */
  add: (table: WorldTable, line: Line, values: readonly (string | null)[]) => void
  /** Sends what has gathered enough. The last batches may still be under way while the next rows are read. */
  send: () => Promise<void>
  /** Sends the rest, and returns the number of rows of each table that has any. */
  finish: () => Promise<ReadonlyMap<WorldTable, number>>
}

export interface Line {
  number: number
  /** Nothing in it needs to be escaped. */
  isPlain: boolean
}

/** Rows of one table, encoded: bytes instead of text, because text that waits would keep the garbage collector busy. */
interface Batch {
  table: WorldTable
  bytes: Buffer
  length: number
  rows: number
}

/** Large enough that a COPY costs little, small enough for one batch of every table at once. */
const BATCH_BYTES = 512 * 1024
/** So many that the server has something to do while lines are read, and no more than memory is worth. */
const UNDER_WAY_MAX = 4
const UTF8_BYTES_PER_UNIT_MAX = 3

export function openStaging(client: Client): Staging {
  const open = new Map<WorldTable, Batch>()
  let full: Batch[] = []
  const staged = new Map<WorldTable, number>()
  /** The oldest first; each begins when the one before has arrived. */
  const underWay: Promise<void>[] = []

  const sendFull = async (): Promise<void> => {
    for (const batch of full) {
      if (underWay.length >= UNDER_WAY_MAX) await underWay.shift()
      const isFirst = !staged.has(batch.table)
      const before = underWay.at(-1) ?? Promise.resolve()
      const sending = before.then(() => sendBatch(client, batch, isFirst))
      // Whoever waits for it is told of a failure, in its turn.
      sending.catch(() => undefined)
      underWay.push(sending)
      staged.set(batch.table, (staged.get(batch.table) ?? 0) + batch.rows)
    }
    full = []
  }

  return {
    add: (table, line, values) => {
      const row = encodeRow(line, values)
      const most = row.length * UTF8_BYTES_PER_UNIT_MAX
      let batch = open.get(table)
      if (batch === undefined || batch.length + most > batch.bytes.length) {
        if (batch !== undefined) full.push(batch)
        const bytes = Buffer.allocUnsafeSlow(Math.max(BATCH_BYTES, most))
        open.set(table, (batch = { table, bytes, length: 0, rows: 0 }))
      }
      batch.length += batch.bytes.write(row, batch.length)
      batch.rows++
    },
    send: sendFull,
    finish: async () => {
      full.push(...open.values())
      open.clear()
      await sendFull()
      for (const sending of underWay) await sending
      await analyzeStaged(client, [...staged.keys()])
      return staged
    },
  }
}

async function sendBatch(client: Client, { table, bytes, length }: Batch, isFirst: boolean): Promise<void> {
  if (isFirst) await createTable(client, table)
  const stream = client.query(
    copyFrom(`COPY ${stagedName(table)} (line_number, ${table.columns.join(', ')}) FROM STDIN`),
  )
  // A stream that failed can fail once more, after everyone has stopped listening.
  stream.on('error', () => undefined)
  stream.end(bytes.subarray(0, length))
  await finished(stream)
}

/** Has the column types of the table itself, and so the checks of its domains, but nothing that must not be null. */
async function createTable(client: Client, table: WorldTable): Promise<void> {
  await client.query(`
    CREATE TEMPORARY TABLE ${stagedName(table)} ON COMMIT DROP AS
    SELECT 0::bigint AS line_number, ${table.columns.join(', ')} FROM ${table.name} WITH NO DATA`)
}

/** Without statistics the planner takes each of them for a small table. Only the columns that are joined matter. */
async function analyzeStaged(client: Client, tables: readonly WorldTable[]): Promise<void> {
  if (tables.length === 0) return
  await client.query(
    `ANALYZE ${tables.map((one) => `${stagedName(one)} (${one.key.join(', ')})`).join(', ')}`,
  )
}

/** One line of COPY's text format. */
function encodeRow({ number, isPlain }: Line, values: readonly (string | null)[]): string {
  let row = String(number)
  for (const value of values) {
    row += value === null ? '\t\\N' : `\t${isPlain ? value : escapeValue(value)}`
  }
  return `${row}\n`
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeValue(value: string): string {
  return SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '') : value
}
