import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { listLoaders } from '../api/expansion/relations.ts'
import { writeBackupFile } from '../backup/backup-file.ts'
import { restoreBackup } from '../backup/restore.ts'
import { verifyBackup } from '../backup/verify.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { countOthers } from '../db/put-aside.ts'
import { createScratch } from '../db/scratch.ts'
import { findMadeSecret } from '../server/app-secret.ts'
import type { Config } from '../server/config.ts'
import type { Shutdown } from '../server/shutdown.ts'
import { listPending, rehearse } from '../upgrade/rehearse.ts'
import type { Rehearsal } from '../upgrade/rehearse.ts'
import { compareState } from '../upgrade/state.ts'
import { withCleanup } from './database.ts'
import { describeMigration } from './migration-words.ts'
import { FindingsError, print, printError, report } from './print.ts'
import { restoreSecret } from './restore.ts'

interface Options {
  rehearse: boolean
  back?: string | true
  backups?: string
}

export function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description('rehearse on a copy, back up, migrate and compare; says how to go back')
    .option('--rehearse', 'only migrate a copy and compare it; exit status 1 if something differs', false)
    .option('--back [file]', 'restore a backup and keep the present data aside; default: of the last upgrade')
    .option(
      '--backups <folder>',
      'where backups of upgrades are, and files of a rehearsal while it runs; default: DATA_DIR/backups',
    )
    .action(async ({ rehearse: isRehearsal, back, backups }: Options) => {
      if (isRehearsal && back !== undefined) throw new Error('--rehearse and --back exclude each other')
      if (back !== undefined) await withCleanup(goBack)(back, backups)
      else if (isRehearsal) await withCleanup(rehearseOnly)(backups)
      else await withCleanup(upgrade)(backups)
    })
}

const NAME = /^quoting-before-upgrade-\d{8}t\d{6}\.gz$/
/** Of the time, in UTC. Milliseconds tell a command from one that was killed right before. */
const timeName = (length: 'seconds' | 'milliseconds' = 'milliseconds') =>
  new Date()
    .toISOString()
    .slice(0, length === 'seconds' ? 19 : 23)
    .replaceAll(/[-:.]/g, '')
    .toLowerCase()
const folderOf = (config: Config, backups: string | undefined) =>
  backups === undefined ? join(config.dataDir, 'backups') : resolve(backups)

async function rehearseOnly(
  connection: Connection,
  config: Config,
  cleanup: Shutdown,
  backups: string | undefined,
): Promise<void> {
  if ((await listPending(connection)).length === 0) {
    print('The schema is up to date. There is nothing to rehearse.')
    return
  }
  const folder = makeFolder(folderOf(config, backups), cleanup)
  const file = join(folder, 'backup.gz')
  const { tables, rows } = await writeBackupFile(connection, file, findMadeSecret(config))
  print(`Backed up ${rows} rows of ${tables} tables.`)
  await rehearseOnCopy({ connection, config, cleanup, folder }, file)
  print('The rehearsal succeeded. The database itself was not changed.')
}

async function upgrade(
  connection: Connection,
  config: Config,
  cleanup: Shutdown,
  backups: string | undefined,
): Promise<void> {
  if ((await listPending(connection)).length === 0) {
    print('The schema is up to date.')
    return
  }
  const othersBefore = await withDb(connection, countOthers)
  const folder = folderOf(config, backups)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `quoting-before-upgrade-${timeName('seconds')}.gz`)
  await writeBackupFile(connection, file, findMadeSecret(config))
  const { tables, rows } = await verifyBackup(createReadStream(file))
  print(`Backed up ${rows} rows of ${tables} tables to ${file} and verified it.`)
  const rehearsal = await rehearseOnCopy(
    { connection, config, cleanup, folder: makeFolder(folder, cleanup) },
    file,
  )
  for (const name of await migrate(connection, report)) print(`Applied ${name}.`)
  const wayBack = `To go back, stop all processes, run "quoting upgrade --back ${file}" with this release, and start the previous release.`
  if (othersBefore + (await withDb(connection, countOthers)) > 0) {
    print(
      'Other processes use the database and may have changed it meanwhile, so only the copy was compared.',
    )
  } else {
    const { differences, totals } = await compareState(connection, rehearsal.known, rehearsal.stateFile)
    for (const difference of differences) printError(`After the upgrade, ${difference}.`)
    if (differences.length > 0) printError(wayBack)
    if (differences.length > 0) throw new FindingsError()
    print(`Row counts, records and ${totals} totals are the same as before.`)
  }
  print(`The upgrade is complete. ${wayBack}`)
}

/** For files that end with the command. Not in the system's temporary folder, which can be in memory. */
function makeFolder(backups: string, cleanup: Shutdown): string {
  const firstCreated = mkdirSync(backups, { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(backups, 'rehearsal-'))
  cleanup.add(async () => {
    rmSync(folder, { recursive: true, force: true })
    if (firstCreated !== undefined) removeEmpty(backups, firstCreated)
  })
  return folder
}

/** Removes `folder` and those above it up to `last`, as long as they are empty. */
function removeEmpty(folder: string, last: string): void {
  try {
    rmdirSync(folder)
  } catch {
    return
  }
  if (folder !== last) removeEmpty(dirname(folder), last)
}

interface Context {
  connection: Connection
  config: Config
  cleanup: Shutdown
  folder: string
}

/** Prints what it did. Throws if something differs. */
async function rehearseOnCopy(
  { connection, config, cleanup, folder }: Context,
  backupFile: string,
): Promise<Rehearsal> {
  const creating = createScratch(connection, config, `rehearsal_${timeName()}`)
  let isDropped = false
  const drop = async () => {
    if (isDropped) return
    isDropped = true
    await (await creating.catch(() => undefined))?.drop()
  }
  cleanup.add(drop)
  const scratch = await creating
  print(`Restoring into the scratch database ${scratch.name}.`)
  const rehearsal = await rehearse(scratch.connection, backupFile, folder, listLoaders())
  await drop()
  for (const migration of rehearsal.migrations) print(describeMigration(migration))
  const { tables, records, totals, statements, exportSha256 } = rehearsal.compared
  print(
    `Compared the rows of ${tables} tables, ${records} records, ${totals} totals and the plans of ${statements} statements.`,
  )
  for (const finding of rehearsal.findings) printError(`After the migration, ${finding}.`)
  if (rehearsal.findings.length > 0) {
    printError('The database itself was not changed.')
    throw new FindingsError()
  }
  print(`The export has the same SHA-256 before and after: ${exportSha256}.`)
  return rehearsal
}

async function goBack(
  connection: Connection,
  config: Config,
  _cleanup: Shutdown,
  back: string | true,
  backups: string | undefined,
): Promise<void> {
  const file = back === true ? findLast(folderOf(config, backups)) : back
  const { createdAt, schema } = await verifyBackup(createReadStream(file))
  const aside = `kept_${timeName()}`
  const { beforeCommit, note } = restoreSecret(config)
  const { tables, rows } = await restoreBackup(connection, createReadStream(file), {
    beforeCommit,
    keepSchema: true,
    aside,
  })
  print(`Restored ${rows} rows of ${tables} tables from ${file}, as of ${createdAt}.`)
  print(`The data from before this command is kept in the schema ${aside}.`)
  print(`Start the release of ${schema}. Commands of this release, except backup and upgrade, migrate again.`)
  for (const line of note()) print(line)
}

function findLast(folder: string): string {
  const last = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted()
    .at(-1)
  if (last === undefined) throw new Error(`${folder} has no backup of an upgrade`)
  return join(folder, last)
}
