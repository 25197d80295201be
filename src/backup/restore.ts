/** `quoting restore`: fills an empty database from a backup, all or nothing. */
import type { Readable } from 'node:stream'
import { DatabaseError } from 'pg'
import { isBackedUp, withColumns } from '../db/backup-tables.ts'
import type { BackupTable } from '../db/backup-tables.ts'
import { beginRestore, copyIn, finishRestore } from '../db/backup.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import type { Db } from '../db/statement.ts'
import { commit, rollback } from '../db/world-transaction.ts'
import type { BackupSummary } from './backup.ts'
import { BackupError, damaged } from './format.ts'
import type { BackupHeader, BackupReader } from './format.ts'
import { openBackup } from './open.ts'

/** Part of a restore outside of the database: kept if the transaction commits, discarded otherwise. */
interface Companion {
  keep: () => void
  drop: () => void
}

interface RestoreOptions {
  /** Called when only the commit itself can still fail. */
  beforeCommit?: (header: BackupHeader) => Companion | null
  /** Leaves the schema as it was at the time of the backup. */
  keepSchema?: boolean
  /** Moves existing data to a schema of this name. Otherwise the database must be empty. */
  aside?: string
}

/** The checksum is known only at the end, so no row is visible until then. */
export async function restoreBackup(
  connection: Connection,
  input: Readable,
  { beforeCommit = () => null, keepSchema = false, aside }: RestoreOptions = {},
): Promise<BackupSummary> {
  const reader = openBackup(input)
  const header = await reader.header()
  return withDb(connection, async (client) => {
    let companion: Companion | null = null
    let summary: BackupSummary
    try {
      const tables = await beginRestore(client, header.migrations, aside)
      summary = await fill(client, reader, tables)
      await finishRestore(client, tables, keepSchema)
      companion = beforeCommit(header)
      await commit(client)
    } catch (error) {
      companion?.drop()
      await rollback(client)
      throw error instanceof BackupError
        ? new BackupError(`${error.message}; nothing was restored`, { cause: error })
        : error
    }
    companion?.keep()
    return summary
  })
}

async function fill(
  client: Db,
  reader: BackupReader,
  tables: readonly BackupTable[],
): Promise<BackupSummary> {
  const left = new Map(tables.filter(({ name }) => isBackedUp(name)).map((table) => [table.name, table]))
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
  return { tables: tables.filter(({ name }) => isBackedUp(name)).length, rows }
}

/** A database of this release accepts all rows of a valid backup. */
function describeRefused(error: Error): Error {
  // Classes 22 (wrong data) and 23 (broken constraint).
  if (!(error instanceof DatabaseError) || !/^2[23]/.test(error.code ?? '')) return error
  return new BackupError(`the backup is damaged: ${error.message}`, { cause: error })
}
