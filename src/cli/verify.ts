import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { verifyDatabase, verifyFile } from '../world/verify.ts'
import type { Verification } from '../world/verify.ts'
import { withDatabase } from './database.ts'
import { FindingsError, print, printError } from './print.ts'

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check that every accepted revision matches its hash; exit status 1 if one does not')
    .option('--file <file>', 'check an export instead of the database; - reads standard input')
    .action(async ({ file }: { file?: string }) => {
      if (file === undefined)
        await withDatabase(async (connection) => show(await verifyDatabase(connection)))()
      else show(await verifyFile(file === '-' ? process.stdin : createReadStream(file)))
    })
}

function show({ count, findings }: Verification): void {
  for (const finding of findings) printError(finding)
  if (findings.length > 0) throw new FindingsError()
  print(`All ${count} accepted revision(s) match their hash.`)
}
