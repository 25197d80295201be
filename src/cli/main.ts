/** The command line: parses arguments and calls one function per command. */
import { Command, CommanderError, Option } from 'commander'
import { backUp, checkBackup, restore } from './backup-commands.ts'
import { FindingsError, createKey, doctor, exportAll, importFile, listKeys, revokeKey } from './commands.ts'
import { readConfig } from '../server/config.ts'
import type { Config } from '../server/config.ts'
import { ROLES } from '../core/enumerations.ts'
import type { Role } from '../core/enumerations.ts'
import type { Connection } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { takePassword } from './password-input.ts'
import { print, printError } from './print.ts'
import { createShutdown } from '../server/shutdown.ts'
import { addUser, changePassword, checkUser, disable, enable, listAllUsers } from './user-commands.ts'

interface UserOptions {
  company: string
  email: string
}

const SIGNAL_NUMBERS: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

const report = (message: string) => printError(`quoting: ${message}`)

/** Runs a command with a migrated database. */
function withDatabase<Args extends unknown[]>(
  work: (connection: Connection, ...args: Args) => Promise<void>,
) {
  return withDatabaseAsItIs<Args>(async (connection, _config, ...args) => {
    await migrate(connection, report)
    await work(connection, ...args)
  })
}

/** Runs a command with the database, and then stops everything that was started for it. */
function withDatabaseAsItIs<Args extends unknown[]>(
  work: (connection: Connection, config: Config, ...args: Args) => Promise<void>,
) {
  return async (...args: Args): Promise<void> => {
    const config = readConfig(process.env)
    const shutdown = createShutdown({ signalExitCode: (signal) => 128 + (SIGNAL_NUMBERS[signal] ?? 0) })
    const opening = openDatabase(config, report)
    shutdown.add(async () => (await opening.catch(() => undefined))?.stop())
    // If the reader closes the pipe early (`quoting doctor | head`), stop quietly.
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => void shutdown.run().then(() => process.exit(1)))
    }
    try {
      const { connection } = await opening
      await work(connection, config, ...args)
    } finally {
      await shutdown.run()
    }
  }
}

function createProgram(): Command {
  const program = new Command('quoting')
  program
    .description('The Event Quoting Service. Settings come from the environment; see the README.')
    .configureOutput({ outputError: (text) => report(text.replace(/^error: /, '').trimEnd()) })
    .showSuggestionAfterError(false)
    .exitOverride()

  program
    .command('serve')
    .description('serve the API')
    .option('--demo', 'fill an empty database with the demo world first', false)
    .action(async (options: { demo: boolean }) => {
      // Imported here only: the web server is most of the code, and no other command needs it.
      const { serve } = await import('../server/serve.ts')
      await serve(readConfig(process.env), options)
    })
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .action(withDatabase(async () => print('The schema is up to date.')))
  program
    .command('import')
    .description('import a world file, all or nothing')
    .argument('<file>', 'NDJSON; - reads standard input')
    .action(withDatabase(importFile))
  program
    .command('export')
    .description('write everything to standard output as a world file')
    .action(withDatabase(exportAll))
  program
    .command('backup')
    .description('write everything the database holds at this moment to a file')
    .argument('<file>', 'replaced when it is complete; - writes standard output')
    .action(withDatabaseAsItIs(backUp))
  program
    .command('restore')
    .description('fill an empty database from a backup, all or nothing')
    .argument('<file>', 'as "backup" wrote it; - reads standard input')
    .action(async (file: string) => {
      await checkBackup(file)
      await withDatabaseAsItIs(restore)(file)
    })
  program
    .command('doctor')
    .description(
      'list references that do not resolve and derived data that is wrong; exit status 1 if there are any',
    )
    .option('--repair', 'correct derived data first', false)
    .action((options: { repair: boolean }) => withDatabase(doctor)(options))
  addKeyCommands(program.command('keys').description('the API keys of a company'))
  addUserCommands(program.command('users').description('who may sign in to the console of a company'))
  return program
}

function addKeyCommands(keys: Command): void {
  keys
    .command('create')
    .description('create a key and print it: it is shown this once')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--name <name>', 'what the key is for')
    .action((options: { company: string; name: string }) =>
      withDatabase(createKey)(options.company, options.name),
    )
  keys
    .command('list')
    .description('list keys: id, creation, state, name')
    .requiredOption('--company <id>', 'the company')
    .action((options: { company: string }) => withDatabase(listKeys)(options.company))
  keys
    .command('revoke')
    .description('revoke a key; it stops working within a second')
    .argument('<keyId>', 'id of the key, as "keys list" shows it')
    .requiredOption('--company <id>', 'the company')
    .action((keyId: string, options: { company: string }) => withDatabase(revokeKey)(options.company, keyId))
}

const GENERATE = 'make a strong password and print only it'
const PASSWORD_HELP = `
The password is never an argument: it is asked for, or read as one line from standard input where that is no terminal.`

function addUserCommands(users: Command): void {
  users
    .command('create')
    .description('create a user')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <address>', 'what the user signs in with')
    .requiredOption('--name <name>', 'what the user is called')
    .addOption(
      new Option('--role <role>', 'ADMIN: everything; MEMBER: all but the settings')
        .choices(ROLES)
        .makeOptionMandatory(),
    )
    .option('--generate', GENERATE, false)
    .addHelpText('after', PASSWORD_HELP)
    .action(async (options: UserOptions & { name: string; role: Role; generate: boolean }) => {
      const { company, email, name, role, generate } = options
      checkUser({ email, name })
      const password = await takePassword(generate)
      await withDatabase(addUser)(company, { email, name, role }, password)
    })
  users
    .command('list')
    .description('list users: id, creation, state, role, address, name')
    .requiredOption('--company <id>', 'the company')
    .action((options: { company: string }) => withDatabase(listAllUsers)(options.company))
  users
    .command('password')
    .description('give a user a new password, and sign the user out everywhere')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <address>', 'what the user signs in with')
    .option('--generate', GENERATE, false)
    .addHelpText('after', PASSWORD_HELP)
    .action(async ({ company, email, generate }: UserOptions & { generate: boolean }) => {
      const password = await takePassword(generate)
      await withDatabase(changePassword)(company, email, password)
    })
  users
    .command('disable')
    .description('let a user sign in no more, and sign the user out everywhere')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <address>', 'what the user signs in with')
    .action(({ company, email }: UserOptions) => withDatabase(disable)(company, email))
  users
    .command('enable')
    .description('let a user who was disabled sign in again')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--email <address>', 'what the user signs in with')
    .action(({ company, email }: UserOptions) => withDatabase(enable)(company, email))
}

/** One line. An aggregate error, such as one per address of a host, has no message itself. */
function describe(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  if (/^(EPIPE|ECONNRESET)$/.test((first as NodeJS.ErrnoException).code ?? ''))
    return 'the connection to the database was lost'
  const lines = (first as Error).message.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1
  const silent = error instanceof CommanderError || error instanceof FindingsError
  if (!silent) report(describe(error))
}
