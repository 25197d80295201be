/** The entry point: registers the commands, one per file, and reports errors. */
import { Command, CommanderError } from 'commander'
import { addBackup } from './backup.ts'
import { addCells } from './cells.ts'
import { addCompanies } from './companies.ts'
import { addDistribute } from './distribute.ts'
import { addDoctor } from './doctor.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addKeys } from './keys.ts'
import { addMigrate } from './migrate.ts'
import { FindingsError, describeError, report } from './print.ts'
import { addRestore } from './restore.ts'
import { addServe } from './serve.ts'
import { addUpgrade } from './upgrade.ts'
import { addUsers } from './users.ts'
import { addVerify } from './verify.ts'

const program = new Command('quoting')
program
  .description('The Event Quoting Service. Settings come from the environment; see the README.')
  .configureOutput({ outputError: (text) => report(text.replace(/^error: /, '').trimEnd()) })
  .showSuggestionAfterError(false)
  .exitOverride()
addServe(program)
addMigrate(program)
addImport(program)
addExport(program)
addBackup(program)
addRestore(program)
addUpgrade(program)
addDistribute(program)
addDoctor(program)
addVerify(program)
addCompanies(program)
addCells(program)
addKeys(program)
addUsers(program)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1
  const silent = error instanceof CommanderError || error instanceof FindingsError
  if (!silent) report(describeError(error))
}
