import { createReadStream, statSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { writeBackupFile } from '../backup/backup-file.ts'
import { writeBackup } from '../backup/backup.ts'
import { verifyBackup } from '../backup/verify.ts'
import type { Connection } from '../db/connect.ts'
import { findMadeSecret } from '../server/app-secret.ts'
import type { Config } from '../server/config.ts'
import { backUpEvery, backUpInSeries } from './backup-series.ts'
import { withUnmigratedDatabase } from './database.ts'
import { print } from './print.ts'

interface Options {
  keep?: number
  every?: number
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
    .option(
      '--every <time>',
      'with --keep: go on until a signal, and back up when the newest file of the folder is older than this, such as 24h',
      parseTime,
    )
    .option('--verify', 'check the backup <file> completely; needs no database', false)
    .action(async (file: string, { keep, every, verify }: Options) => {
      if (verify && keep !== undefined) throw new Error('--keep and --verify exclude each other')
      if (every !== undefined && keep === undefined) throw new Error('--every needs --keep')
      if (keep !== undefined && !isFolder(file))
        throw new Error(`there is no folder ${file}; create it, or name another one`)
      if (verify) await showVerified(file)
      else if (keep !== undefined && every !== undefined)
        await withUnmigratedDatabase(backUpEvery)(file, keep, every)
      else if (keep !== undefined) await withUnmigratedDatabase(backUpInSeries)(file, keep)
      else await withUnmigratedDatabase(backUp)(file)
    })
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a number of at least 1.')
  return Number(text)
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function parseTime(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([smhd])$/.exec(text) ?? []
  const unitMs = UNITS_MS[unit]
  if (unitMs === undefined) throw new InvalidArgumentError('Give a time such as 24h, 30m or 7d.')
  return Number(count) * unitMs
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

async function showVerified(file: string): Promise<void> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  const { createdAt, schema, tables, rows } = await verifyBackup(input)
  print(
    `The backup of ${createdAt} is complete: ${rows} rows of ${tables} tables, schema ${schema.replace('.sql', '')}.`,
  )
}
