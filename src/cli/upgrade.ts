import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { writeBackupFile } from '../backup/backup-file.ts'
import type { Connection } from '../db/connect.ts'
import type { MeasuredMigration } from '../db/rehearsal.ts'
import { createScratch } from '../db/scratch.ts'
import { findMadeSecret } from '../server/app-secret.ts'
import type { Config } from '../server/config.ts'
import type { Shutdown } from '../server/shutdown.ts'
import { listPending, rehearse } from '../upgrade/rehearse.ts'
import type { Rehearsal } from '../upgrade/rehearse.ts'
import { withCleanup } from './database.ts'
import { FindingsError, print, printError } from './print.ts'

export function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description('bring the database to the schema of this release, in steps that can be checked and undone')
    .requiredOption('--rehearse', 'migrate a copy only, and compare it; exit status 1 if something differs')
    .action(() => withCleanup(rehearseOnly)())
}

async function rehearseOnly(connection: Connection, config: Config, cleanup: Shutdown): Promise<void> {
  const pending = await listPending(connection)
  if (pending.length === 0) {
    print('The schema is up to date. There is nothing to rehearse.')
    return
  }
  const folder = makeFolder(cleanup)
  const backupFile = join(folder, 'backup.gz')
  const { tables, rows } = await writeBackupFile(connection, backupFile, findMadeSecret(config))
  print(`Backed up ${rows} rows of ${tables} tables.`)
  await rehearseOnCopy(connection, config, cleanup, backupFile, folder)
  print('The rehearsal succeeded. The database itself was not changed.')
}

/** For files that end with the command. */
function makeFolder(cleanup: Shutdown): string {
  const folder = mkdtempSync(join(tmpdir(), 'quoting-upgrade-'))
  cleanup.add(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Prints what it did. Throws if something differs. */
async function rehearseOnCopy(
  connection: Connection,
  config: Config,
  cleanup: Shutdown,
  backupFile: string,
  folder: string,
): Promise<Rehearsal> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
  const creating = createScratch(connection, config, `rehearsal_${time}`)
  let isDropped = false
  const drop = async () => {
    if (isDropped) return
    isDropped = true
    await (await creating.catch(() => undefined))?.drop()
  }
  cleanup.add(drop)
  const scratch = await creating
  print(`Restoring into the scratch database ${scratch.name}.`)
  const rehearsal = await rehearse(scratch.connection, backupFile, folder)
  await drop()
  for (const migration of rehearsal.migrations) print(describeMigration(migration))
  const { tables, records, totals, statements, exportSha256 } = rehearsal.compared
  print(
    `Compared the rows of ${tables} tables, ${records} records, ${totals} totals and the plans of ${statements} statements.`,
  )
  for (const finding of rehearsal.findings) printError(`After the migration, ${finding}.`)
  if (rehearsal.findings.length > 0) throw new FindingsError()
  print(`The export has the same SHA-256 before and after: ${exportSha256}.`)
  return rehearsal
}

/** Locks that let others read and write are left out. */
const BLOCKING: Record<string, string> = {
  ShareLock: 'SHARE, which blocks writes, on',
  ShareRowExclusiveLock: 'SHARE ROW EXCLUSIVE, which blocks writes, on',
  ExclusiveLock: 'EXCLUSIVE, which blocks writes, on',
  AccessExclusiveLock: 'ACCESS EXCLUSIVE, which blocks reads and writes, on',
}

function describeMigration({ name, durationMs, locks }: MeasuredMigration): string {
  const byMode = new Map<string, string[]>()
  for (const { table, mode } of locks) {
    const words = BLOCKING[mode]
    if (words !== undefined) byMode.set(words, [...(byMode.get(words) ?? []), table])
  }
  const held = [...byMode].map(([words, tables]) => `${words} ${tables.join(', ')}`)
  const locked = held.length === 0 ? 'no lock that blocks reads or writes' : `locks ${held.join('; ')}`
  return `${name}: ${(durationMs / 1000).toFixed(2)} s, ${locked}.`
}
