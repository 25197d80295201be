import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import type { Connection } from '../db/connect.ts'
import { importWorld } from '../world/import.ts'
import { withDatabase } from './database.ts'
import { FindingsError, print, printError } from './print.ts'

export function addImport(program: Command): void {
  program
    .command('import')
    .description('import a world file, all or nothing')
    .argument('<file>', 'NDJSON; - reads standard input')
    .action(withDatabase(importFile))
}

async function importFile(connection: Connection, file: string): Promise<void> {
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: '{bar} {percentage}% | {lines} lines', etaBuffer: 100 })
    : null
  const size = file === '-' ? 0 : (await stat(file)).size
  bar?.start(size, 0, { lines: 0 })
  const input = file === '-' ? process.stdin : createReadStream(file)
  const result = await importWorld(connection, input, {
    onProgress: ({ lines, bytes }) => bar?.update(Math.min(bytes, size), { lines }),
  }).finally(() => bar?.stop())
  if (result.errorCount === 0) {
    print(`Imported ${result.records} records.`)
    return
  }
  for (const { line, field, reason } of result.errors) {
    printError(`line ${line}: ${field === null ? '' : `${field}: `}${reason}`)
  }
  printError(`${result.errorCount} error(s) in all; nothing was imported.`)
  throw new FindingsError()
}
