import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { writeBackup } from '../backup/backup.ts'
import type { Connection } from '../db/connect.ts'
import { findMadeSecret } from '../server/app-secret.ts'
import type { Config } from '../server/config.ts'
import { withUnmigratedDatabase } from './database.ts'
import { print } from './print.ts'

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('write all data of the database to a file, as of this moment')
    .argument('<file>', 'replaced when it is complete; - writes standard output')
    .action(withUnmigratedDatabase(backUp))
}

async function backUp(connection: Connection, config: Config, file: string): Promise<void> {
  const secret = findMadeSecret(config)
  if (file === '-') {
    await writeBackup(connection, process.stdout, secret)
    return
  }
  const { tables, rows } = await replaceFile(file, (draft) =>
    writeBackup(connection, draft.createWriteStream({ flush: true }), secret),
  )
  print(`Backed up ${rows} rows of ${tables} tables.`)
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
