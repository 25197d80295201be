import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { deleteOldBackups, nameInSeries, writeBackupFile } from '../backup/backup-file.ts'
import { writeBackup } from '../backup/backup.ts'
import { verifyBackup } from '../backup/verify.ts'
import type { Connection } from '../db/connect.ts'
import { findMadeSecret } from '../server/app-secret.ts'
import type { Config } from '../server/config.ts'
import { withUnmigratedDatabase } from './database.ts'
import { print } from './print.ts'

interface Options {
  keep?: number
  verify: boolean
}

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description('write all data of the database to a file, as of this moment')
    .argument('<file>', 'replaced when it is complete; - writes standard output')
    .option(
      '--keep <n>',
      'write quoting-<time>.gz to the folder <file>, check it, then delete the oldest files named like this until <n> are left',
      parseCount,
    )
    .option('--verify', 'check the backup <file> completely; needs no database', false)
    .action(async (file: string, { keep, verify }: Options) => {
      if (verify && keep !== undefined) throw new Error('--keep and --verify exclude each other')
      if (verify) await showVerified(file)
      else if (keep !== undefined) await withUnmigratedDatabase(backUpInSeries)(file, keep)
      else await withUnmigratedDatabase(backUp)(file)
    })
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a number of at least 1.')
  return Number(text)
}

async function backUp(connection: Connection, config: Config, file: string): Promise<void> {
  const secret = findMadeSecret(config)
  if (file === '-') {
    await writeBackup(connection, process.stdout, secret)
    return
  }
  const { tables, rows } = await writeBackupFile(connection, file, secret)
  print(`Backed up ${rows} rows of ${tables} tables.`)
}

async function backUpInSeries(
  connection: Connection,
  config: Config,
  folder: string,
  keep: number,
): Promise<void> {
  const name = nameInSeries(new Date())
  const file = join(folder, name)
  const { tables, rows } = await writeBackupFile(connection, file, findMadeSecret(config))
  // Read back from disk: old backups are deleted only if this one is good.
  const verified = await verifyBackup(createReadStream(file))
  if (verified.rows !== rows) throw new Error(`${file} has ${verified.rows} rows instead of ${rows}`)
  print(`Backed up ${rows} rows of ${tables} tables to ${file} and verified it.`)
  for (const old of deleteOldBackups(folder, keep, name)) print(`Deleted ${join(folder, old)}.`)
}

async function showVerified(file: string): Promise<void> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  const { createdAt, schema, tables, rows } = await verifyBackup(input)
  print(
    `The backup of ${createdAt} is complete: ${rows} rows of ${tables} tables, schema ${schema.replace('.sql', '')}.`,
  )
}
