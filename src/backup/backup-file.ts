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

const DRAFT_NAME = /^quoting-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.gz\.\d+\.part$/
const DRAFT_AGE_MS = 3_600_000

/**
 * Deletes drafts of the series that a killed process or a power failure left. Process ids say nothing across containers, so a draft is
 * left over when it has not been written to for an hour. Returns the names of the deleted files.
 */
export function deleteOldDrafts(folder: string, now: Date): string[] {
  const old = listFiles(folder, DRAFT_NAME).filter((name) => {
    // Another run can finish its draft meanwhile.
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs < now.getTime() - DRAFT_AGE_MS
  })
  for (const name of old) rmSync(join(folder, name), { force: true })
  return old
}

/** When the newest backup of the series began; null without one. Names after `now` are skipped: a clock was ahead. */
export function findNewestMs(folder: string, now: Date): number | null {
  const times = listFiles(folder, SERIES_NAME).map((name) => {
    const [day, time] = name.slice('quoting-'.length, -'.gz'.length).split('T')
    return Date.parse(`${day}T${time?.replaceAll('-', ':')}`)
  })
  const past = times.filter((time) => time <= now.getTime())
  return past.length === 0 ? null : Math.max(...past)
}

/** Files with other names, links and folders stay, and so does the newest backup `written`. Returns the names of the deleted files. */
export function deleteOldBackups(folder: string, keep: number, written: string): string[] {
  // A clock that was ahead can have given older backups a later name.
  const others = listFiles(folder, SERIES_NAME)
    .filter((name) => name !== written)
    .toSorted()
  const old = others.slice(0, Math.max(0, others.length - keep + 1))
  for (const name of old) rmSync(join(folder, name))
  return old
}

/** Without links and folders. */
function listFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => pattern.test(entry.name) && entry.isFile())
    .map(({ name }) => name)
}
