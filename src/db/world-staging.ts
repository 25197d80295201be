/** The rows of an import on their way: gathered by table, sent with COPY, kept in temporary tables until the merge. */
import { finished } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { stagedName } from './world-table.ts'
import type { WorldTable } from './world-table.ts'

export interface Staging {
  /** Takes a row: the line it came from, and its columns in the order of the table's. */
  add: (table: WorldTable, line: number, values: readonly (string | null)[]) => void
  /** Sends what has gathered enough. The last batch may still be under way while the next rows are read. */
  send: () => Promise<void>
  /** Sends the rest, and returns the number of rows of each table that has any. */
  finish: () => Promise<ReadonlyMap<WorldTable, number>>
}

interface Batch {
  rows: number
  text: string
}

/** Large enough that a COPY costs little, small enough for one batch of every table at once. */
const BATCH_CHARACTERS = 512 * 1024

export function openStaging(client: Client): Staging {
  const batches = new Map<WorldTable, Batch>()
  const staged = new Map<WorldTable, number>()
  let underWay = Promise.resolve()

  const sendBatch = async (table: WorldTable, batch: Batch): Promise<void> => {
    await underWay
    const { rows, text } = batch
    batch.rows = 0
    batch.text = ''
    const isFirst = !staged.has(table)
    staged.set(table, (staged.get(table) ?? 0) + rows)
    underWay = isFirst
      ? createTable(client, table).then(() => copy(client, table, text))
      : copy(client, table, text)
    // Whoever waits for it next is told of a failure.
    underWay.catch(() => undefined)
  }

  return {
    add: (table, line, values) => {
      let batch = batches.get(table)
      if (batch === undefined) batches.set(table, (batch = { rows: 0, text: '' }))
      batch.rows++
      batch.text += encodeRow(line, values)
    },
    send: async () => {
      for (const [table, batch] of batches) {
        if (batch.text.length >= BATCH_CHARACTERS) await sendBatch(table, batch)
      }
    },
    finish: async () => {
      for (const [table, batch] of batches) {
        if (batch.rows > 0) await sendBatch(table, batch)
      }
      await underWay
      // Without statistics the planner takes each of them for a small table.
      if (staged.size > 0) await client.query(`ANALYZE ${[...staged.keys()].map(stagedName).join(', ')}`)
      return staged
    },
  }
}

/** Has the column types of the table itself, and so the checks of its domains, but nothing that must not be null. */
async function createTable(client: Client, table: WorldTable): Promise<void> {
  await client.query(`
    CREATE TEMPORARY TABLE ${stagedName(table)} ON COMMIT DROP AS
    SELECT 0::bigint AS line_number, ${table.columns.join(', ')} FROM ${table.name} WITH NO DATA`)
}

async function copy(client: Client, table: WorldTable, text: string): Promise<void> {
  const stream = client.query(
    copyFrom(`COPY ${stagedName(table)} (line_number, ${table.columns.join(', ')}) FROM STDIN`),
  )
  // A stream that failed can fail once more, after everyone has stopped listening.
  stream.on('error', () => undefined)
  stream.end(text)
  await finished(stream)
}

/** One line of COPY's text format. */
function encodeRow(line: number, values: readonly (string | null)[]): string {
  let row = String(line)
  for (const value of values) row += value === null ? '\t\\N' : `\t${escape(value)}`
  return `${row}\n`
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escape(value: string): string {
  return SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '') : value
}
