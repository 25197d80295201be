/** Registers the commands, one per file. */
import { Command } from 'commander'
import { addBackup } from './backup.ts'
import { addCells } from './cells.ts'
import { addCompanies } from './companies.ts'
import { addDistribute } from './distribute.ts'
import { addDoctor } from './doctor.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addKeys } from './keys.ts'
import { addMigrate } from './migrate.ts'
import { report } from './print.ts'
import { addRestore } from './restore.ts'
import { addServe } from './serve.ts'
import { addUpgrade } from './upgrade.ts'
import { addUsers } from './users.ts'
import { addVerify } from './verify.ts'

export function createProgram(): Command {
  const program = new Command('quoting')
  program
    .description('The Event Quoting Service. Settings come from the environment; see docs/settings.md.')
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
  return program
}
