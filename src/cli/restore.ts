import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import type { BackupHeader } from '../backup/format.ts'
import { readBackupHeader } from '../backup/open.ts'
import { restoreBackup } from '../backup/restore.ts'
import type { Connection } from '../db/connect.ts'
import { draftMadeSecret, isTooShort } from '../server/app-secret.ts'
import type { Config } from '../server/config.ts'
import { withUnmigratedDatabase } from './database.ts'
import { print } from './print.ts'

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('fill an empty database from a backup, all or nothing')
    .argument('<file>', 'as "backup" wrote it; - reads standard input')
    .action(async (file: string) => {
      await checkBackup(file)
      await withUnmigratedDatabase(restore)(file)
    })
}

/** Checked first: a wrong file name is the likeliest mistake, and must not create a database. */
async function checkBackup(file: string): Promise<void> {
  if (file === '-') return
  const found = await stat(file)
  if (found.isDirectory()) throw new Error(`${file} is a folder, not a backup`)
  // A pipe can be read only once.
  if (found.isFile()) await readBackupHeader(createReadStream(file))
}

export async function restore(connection: Connection, config: Config, file: string): Promise<void> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  const { beforeCommit, note } = restoreSecret(config)
  const { tables, rows } = await restoreBackup(connection, input, { beforeCommit })
  print(`Restored ${rows} rows of ${tables} tables.`)
  for (const line of note()) print(line)
}

/** The secret of the backup replaces the generated one together with the rows. `note` says what the operator has to do. */
export function restoreSecret(config: Config) {
  const notes: string[] = []
  const beforeCommit = ({ appSecret }: BackupHeader) => {
    if (appSecret === undefined || appSecret === config.appSecret) return null
    if (isTooShort(appSecret))
      throw new Error('the application secret in the backup is too short; nothing was restored')
    const drafted = draftMadeSecret(config, appSecret)
    notes.push(
      drafted === null
        ? 'Invoice links that were sent before need the previous APP_SECRET: see docs/backup.md.'
        : 'Restart running servers: the secret of invoice links was restored, too.',
    )
    return drafted
  }
  return { beforeCommit, note: () => notes }
}
