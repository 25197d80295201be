/** `quoting backup` and `quoting restore`. */
import { closeSync, createReadStream, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { draftMadeSecret, findMadeSecret, isTooShort } from '../server/app-secret.ts'
import { writeBackup } from '../backup/backup.ts'
import type { BackupSummary } from '../backup/backup.ts'
import { readBackupHeader, restoreBackup } from '../backup/restore.ts'
import type { Config } from '../server/config.ts'
import type { Connection } from '../db/connect.ts'
import { print } from './print.ts'

export async function backUp(connection: Connection, config: Config, file: string): Promise<void> {
  const secret = findMadeSecret(config)
  if (file === '-') {
    await writeBackup(connection, process.stdout, secret)
    return
  }
  const summary = await replaceFile(file, (draft) =>
    writeBackup(connection, draft.createWriteStream({ flush: true }), secret),
  )
  print(`Backed up ${describe(summary)}.`)
}

/** Written under a temporary name until it is complete and synced, so a file with the final name is always complete. */
async function replaceFile<Result>(
  file: string,
  write: (draft: FileHandle) => Promise<Result>,
): Promise<Result> {
  const draft = `${file}.${process.pid}.part`
  const removeDraft = () => rmSync(draft, { force: true })
  // A signal can end the process halfway.
  process.once('exit', removeDraft)
  try {
    const result = await write(await open(draft, 'wx', 0o600))
    renameSync(draft, file)
    const folder = openSync(dirname(file), 'r')
    fsyncSync(folder)
    closeSync(folder)
    return result
  } finally {
    removeDraft()
    process.off('exit', removeDraft)
  }
}

/** Checked first: a wrong file name is the likeliest mistake, and must not create a database. */
export async function checkBackup(file: string): Promise<void> {
  if (file === '-') return
  const found = await stat(file)
  if (found.isDirectory()) throw new Error(`${file} is a folder, not a backup`)
  // A pipe can be read only once.
  if (found.isFile()) await readBackupHeader(createReadStream(file))
}

export async function restore(connection: Connection, config: Config, file: string): Promise<void> {
  let note: string | undefined
  const input = file === '-' ? process.stdin : createReadStream(file)
  const summary = await restoreBackup(connection, input, ({ appSecret }) => {
    if (appSecret === undefined || appSecret === config.appSecret) return null
    if (isTooShort(appSecret))
      throw new Error('the secret in the backup is too short to be one that was made; nothing was restored')
    const drafted = draftMadeSecret(config, appSecret)
    note =
      drafted === null
        ? 'Invoice links sent before open only with the secret of then: see docs/backup.md.'
        : 'A server that runs already must be started anew: the secret of invoice links was restored, too.'
    return drafted
  })
  print(`Restored ${describe(summary)}.`)
  if (note !== undefined) print(note)
}

function describe({ tables, rows }: BackupSummary): string {
  return `${rows} rows of ${tables} tables`
}
