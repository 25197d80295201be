/** Staging: the rows of an import are batched by table, sent with COPY, and kept in temporary tables until the merge. */
import { finished } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { identifier, identifiers, join, sql } from './sql.ts'
import { copy, run } from './statement.ts'
import type { Db } from './statement.ts'
import { createWorkTable, isOnWorkers } from './work-table.ts'
import { stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

export interface Staging {
  /** Adds a row from a line, with its columns in the order of the table. */
  add: (table: WorldTable, line: Line, values: readonly (string | null)[]) => void
  /** Sends full batches. The last ones may still be in flight while the next rows are read. */
  send: () => Promise<void>
  /** Sends the rest, and returns the number of rows by table. */
  finish: () => Promise<ReadonlyMap<WorldTable, number>>
}

export interface Line {
  number: number
  /** No character in it needs escaping. */
  isPlain: boolean
}

/** Encoded rows of one table. Bytes, because strings would keep the garbage collector busy. */
interface Batch {
  table: WorldTable
  bytes: Buffer
  length: number
  rows: number
}

/** Large enough that a COPY costs little, small enough for one batch of every table at once. */
const BATCH_BYTES = 512 * 1024
/** Keeps the server busy while lines are read, in limited memory. */
const IN_FLIGHT_MAX = 4
const UTF8_BYTES_PER_UNIT_MAX = 3

export function openStaging(client: Db): Staging {
  const open = new Map<WorldTable, Batch>()
  let full: Batch[] = []
  const staged = new Map<WorldTable, number>()
  /** The oldest first. Each starts when the previous one has finished. */
  const inFlight: Promise<void>[] = []

  const sendFull = async (): Promise<void> => {
    for (const batch of full) {
      if (inFlight.length >= IN_FLIGHT_MAX) await inFlight.shift()
      const isFirst = !staged.has(batch.table)
      const before = inFlight.at(-1) ?? Promise.resolve()
      const sending = before.then(() => sendBatch(client, batch, isFirst))
      // A failure is reported when it is awaited.
      sending.catch(() => undefined)
      inFlight.push(sending)
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
      for (const sending of inFlight) await sending
      await analyzeStaged(client, [...staged.keys()])
      return staged
    },
  }
}

async function sendBatch(client: Db, { table, bytes, length }: Batch, isFirst: boolean): Promise<void> {
  if (isFirst) await createTable(client, table)
  const columns = sql`line_number, ${identifiers(table.columns)}`
  const stream = copy(client, copyFrom, sql`COPY ${stagedName(table)} (${columns}) FROM STDIN`)
  // A failed stream can emit another error after `finished` has stopped listening.
  stream.on('error', () => undefined)
  stream.end(bytes.subarray(0, length))
  await finished(stream)
}

/** With the column types of the table, so with the checks of its domains, but without NOT NULL. */
async function createTable(client: Db, table: WorldTable): Promise<void> {
  const columns = sql`0::bigint AS line_number, ${identifiers(table.columns)}`
  const query = sql`SELECT ${columns} FROM ${identifier(table.name)}`
  await createWorkTable(client, `staged_${table.name}`, table.name, query)
}

/** Without statistics, the planner assumes small tables. Only the joined columns matter. */
async function analyzeStaged(client: Db, tables: readonly WorldTable[]): Promise<void> {
  // Citus cannot analyze a table in the transaction that created it.
  const here = tables.filter(({ name }) => !isOnWorkers(client, name))
  if (here.length === 0) return
  const lists = here.map((table) => sql`${stagedName(table)} (${identifiers(table.key)})`)
  await run(client, sql`ANALYZE ${join(lists)}`)
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
