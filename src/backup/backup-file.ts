/** Backups as files: written under a temporary name, and deleted when there are enough newer ones. */
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Connection } from '../db/connect.ts'
import { syncFolder } from '../db/data-folder.ts'
import { writeBackup } from './backup.ts'
import type { BackupSummary } from './backup.ts'

/** The draft becomes the file when it is complete and synced, so a file with the final name is always complete. */
export async function writeBackupFile(
  connection: Connection,
  file: string,
  appSecret: string | undefined,
): Promise<BackupSummary> {
  const draft = `${file}.${process.pid}.part`
  const handle = await open(draft, 'wx', 0o600)
  const removeDraft = () => rmSync(draft, { force: true })
  // A signal can end the process halfway.
  process.once('exit', removeDraft)
  try {
    const summary = await writeBackup(connection, handle.createWriteStream({ flush: true }), appSecret)
    renameSync(draft, file)
    syncFolder(dirname(file))
    return summary
  } finally {
    removeDraft()
    process.off('exit', removeDraft)
  }
}

const SERIES_NAME = /^quoting-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz$/

/** In UTC, so that the order of names is the order of time. */
export function nameInSeries(now: Date): string {
  return `quoting-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.gz`
}

/** Files with other names, links and folders stay, and so does the newest backup `written`. Returns the names of the deleted files. */
export function deleteOldBackups(folder: string, keep: number, written: string): string[] {
  const ours = readdirSync(folder).filter(
    (name) => SERIES_NAME.test(name) && lstatSync(join(folder, name)).isFile(),
  )
  // A clock that was ahead can have given older backups a later name.
  const others = ours.filter((name) => name !== written).toSorted()
  const old = others.slice(0, Math.max(0, others.length - keep + 1))
  for (const name of old) rmSync(join(folder, name))
  return old
}
