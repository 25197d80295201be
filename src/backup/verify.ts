/** `quoting backup --verify`: reads a whole backup without a database. */
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { isBackedUp, listTables } from '../db/backup-tables.ts'
import { refuseUnknown } from '../db/backup.ts'
import type { BackupSummary } from './backup.ts'
import { BackupError, damaged } from './format.ts'
import { openBackup } from './open.ts'

const TAB = 9
const NEWLINE = 10

export interface VerifiedBackup extends BackupSummary {
  createdAt: string
  /** The newest migration in it. */
  schema: string
}

/**
 * Checks the checksum, that every table of its schema is there once, that every row is text with one value per column, and the
 * number of rows. Throws if something is wrong.
 */
export async function verifyBackup(input: Readable): Promise<VerifiedBackup> {
  const reader = openBackup(input)
  const { createdAt, migrations } = await reader.header()
  await refuseUnknown(migrations, 'the backup')
  const missing = new Set((await listTables(migrations)).filter(isBackedUp))
  const tables = missing.size
  let rows = 0
  for (let next = await reader.nextTable(); next !== null; next = await reader.nextTable()) {
    if (!missing.delete(next.table)) throw damaged()
    for await (const chunk of reader.rows()) rows += countRows(chunk, next)
  }
  if (missing.size > 0 || rows !== reader.rowCount()) throw damaged()
  return { createdAt, schema: migrations.at(-1) ?? '', tables, rows }
}

/** COPY escapes tabs and line breaks in values. Chunks hold whole rows. */
function countRows(chunk: Buffer, { table, columns }: { table: string; columns: string[] }): number {
  if (!isUtf8(chunk)) throw unreadable(table)
  let rows = 0
  let values = 1
  for (const byte of chunk) {
    if (byte === TAB) values++
    if (byte !== NEWLINE) continue
    if (values !== columns.length) throw unreadable(table)
    rows++
    values = 1
  }
  return rows
}

function unreadable(table: string): Error {
  return new BackupError(`the backup is damaged: a row of ${table} cannot be read`)
}
