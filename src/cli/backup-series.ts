/** `quoting backup --keep`: a folder with a series of backups, written once or at an interval. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  deleteOldBackups,
  deleteOldDrafts,
  findNewestMs,
  nameInSeries,
  writeBackupFile,
} from '../backup/backup-file.ts'
import { verifyBackup } from '../backup/verify.ts'
import type { Connection } from '../db/connect.ts'
import { findMadeSecret } from '../server/app-secret.ts'
import type { Config } from '../server/config.ts'
import { describeError, print, report } from './print.ts'

/** After a failure. The cause can be an outage of the database, which is over sooner than the interval. */
const RETRY_MS = 60_000
/** Timers have a maximum, and do not count the time in which a machine sleeps. */
const SLEEP_MAX_MS = 60_000

export async function backUpInSeries(
  connection: Connection,
  config: Config,
  folder: string,
  keep: number,
): Promise<void> {
  const now = new Date()
  // Before the backup: they can be what fills the disk.
  for (const draft of deleteOldDrafts(folder, now)) print(`Deleted ${join(folder, draft)}.`)
  const name = nameInSeries(now)
  const file = join(folder, name)
  const { tables, rows } = await writeBackupFile(connection, file, findMadeSecret(config))
  // Read back from disk: old backups are deleted only if this one is good.
  const verified = await verifyBackup(createReadStream(file))
  if (verified.rows !== rows) throw new Error(`${file} has ${verified.rows} rows instead of ${rows}`)
  print(`Backed up ${rows} rows of ${tables} tables to ${file} and verified it.`)
  for (const old of deleteOldBackups(folder, keep, name)) print(`Deleted ${join(folder, old)}.`)
}

/** Runs until a signal ends the process. A restart continues the series: only the age of the newest backup counts. */
export async function backUpEvery(
  connection: Connection,
  config: Config,
  folder: string,
  keep: number,
  everyMs: number,
): Promise<never> {
  let dueMs = findDueMs(folder, everyMs)
  for (;;) {
    if (dueMs > Date.now()) print(`The next backup is due at ${new Date(dueMs).toISOString()}.`)
    for (let leftMs = dueMs - Date.now(); leftMs > 0; leftMs = dueMs - Date.now())
      await sleep(Math.min(leftMs, SLEEP_MAX_MS))
    try {
      await backUpInSeries(connection, config, folder, keep)
      dueMs = findDueMs(folder, everyMs)
    } catch (error) {
      report(describeError(error))
      dueMs = Date.now() + Math.min(RETRY_MS, everyMs)
    }
  }
}

function findDueMs(folder: string, everyMs: number): number {
  return (findNewestMs(folder, new Date()) ?? -Infinity) + everyMs
}
