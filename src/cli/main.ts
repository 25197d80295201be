/** The entry point: runs a command, and reports errors. */
import { CommanderError } from 'commander'
import { FindingsError, describeError, report } from './print.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1
  const silent = error instanceof CommanderError || error instanceof FindingsError
  if (!silent) report(describeError(error))
}
