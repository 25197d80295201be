/** `quoting restore`: fills an empty database from a backup, all or nothing. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { DatabaseError } from 'pg'
import { isBackedUp, withColumns } from '../db/backup-tables.ts'
import type { BackupTable } from '../db/backup-tables.ts'
import { beginRestore, copyIn, finishRestore } from '../db/backup.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import type { Db } from '../db/statement.ts'
import { commit, rollback } from '../db/world-transaction.ts'
import type { BackupSummary } from './backup.ts'
import { createReader, damaged } from './format.ts'
import type { BackupHeader, BackupReader } from './format.ts'

/** Part of a restore outside of the database: kept if the transaction commits, discarded otherwise. */
interface Companion {
  keep: () => void
  drop: () => void
}

/**
 * The checksum is known only at the end, so no row is visible until then. `beforeCommit` is called when only the commit itself
 * can still fail.
 */
export async function restoreBackup(
  connection: Connection,
  input: Readable,
  beforeCommit: (header: BackupHeader) => Companion | null = () => null,
): Promise<BackupSummary> {
  const reader = createReader(unzip(input))
  const header = await reader.header()
  return withDb(connection, async (client) => {
    let companion: Companion | null = null
    let summary: BackupSummary
    try {
      const tables = await beginRestore(client, header.migrations)
      summary = await fill(client, reader, tables)
      await finishRestore(client, tables)
      companion = beforeCommit(header)
      await commit(client)
    } catch (error) {
      companion?.drop()
      await rollback(client)
      throw error
    }
    companion?.keep()
    return summary
  })
}

/** Checks that the file is a backup. */
export async function readBackupHeader(input: Readable): Promise<BackupHeader> {
  try {
    return await createReader(unzip(input)).header()
  } finally {
    input.destroy()
  }
}

async function fill(
  client: Db,
  reader: BackupReader,
  tables: readonly BackupTable[],
): Promise<BackupSummary> {
  const left = new Map(tables.filter(isBackedUp).map((table) => [table.name, table]))
  let rows = 0
  for (let next = await reader.nextTable(); next !== null; next = await reader.nextTable()) {
    // Names become part of a statement, so they come from the catalog, never from the file.
    const known = left.get(next.table)
    const table = known === undefined ? null : withColumns(known, next.columns)
    if (table === null) throw damaged()
    left.delete(table.name)
    rows += await copyIn(client, table, reader.rows()).catch((error: Error) =>
      Promise.reject(describeRefused(error)),
    )
  }
  if (left.size > 0 || rows !== reader.rowCount()) throw damaged()
  return { tables: tables.filter(isBackedUp).length, rows }
}

/** A database of this release accepts all rows of a valid backup. */
function describeRefused(error: Error): Error {
  // Classes 22 (wrong data) and 23 (broken constraint).
  if (!(error instanceof DatabaseError) || !/^2[23]/.test(error.code ?? '')) return error
  return new Error(`the backup is damaged: ${error.message}; nothing was restored`, { cause: error })
}

/** Reports gzip errors in our words. Bytes after the end are an error too, though gzip ignores them. */
async function* unzip(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let bytes = 0
  input.on('data', (chunk: Buffer) => (bytes += chunk.length))
  const feeding = pipeline(input, gunzip)
  feeding.catch(() => undefined)
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk
    await feeding
  } catch (error) {
    throw describeFailure(error as NodeJS.ErrnoException)
  }
  if (gunzip.bytesWritten !== bytes) throw damaged()
}

function describeFailure(error: NodeJS.ErrnoException): Error {
  if (error.code === 'Z_BUF_ERROR')
    return new Error('the backup is cut off: nothing was restored', { cause: error })
  return error.code?.startsWith('Z_') === true ? damaged(error) : error
}
