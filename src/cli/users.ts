import { Option } from 'commander'
import type { Command } from 'commander'
import { ROLES } from '../core/enumerations.ts'
import type { Role } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { hashPassword } from '../core/security/password.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { changePassword as changePasswordAction, createUser, setUserAccess } from '../actions/users.ts'
import { EmailAddress, PersonName } from '../actions/user-input.ts'
import { listUserIdsByEmail, listUsers } from '../records/user/queries.ts'
import { runCommandAction, withDatabase } from './database.ts'
import { readOption } from './options.ts'
import { acceptPassword, takePassword } from './password-input.ts'
import type { GivenPassword } from './password-input.ts'
import { print, printRow } from './print.ts'

interface UserOptions {
  company: string
  email: string
}

const GENERATE = 'generate a strong password and print only it'

export function addUsers(program: Command): void {
  const users = program.command('users').description('manage who can sign in to the console of a company')
  const addCommand = (name: string, description: string) =>
    users.command(name).description(description).requiredOption('--company <id>', 'the company')
  const addUserCommand = (name: string, description: string) =>
    addCommand(name, description).requiredOption(
      '--email <address>',
      'the address that the user signs in with',
    )

  acceptPassword(
    addUserCommand('create', 'create a user')
      .requiredOption('--name <name>', 'the name of the user')
      .addOption(
        new Option('--role <role>', 'ADMIN: everything; MEMBER: all but the settings')
          .choices(ROLES)
          .makeOptionMandatory(),
      ),
    GENERATE,
  ).action(async (options: UserOptions & { name: string; role: Role; generate: boolean }) => {
    const { company, role, generate } = options
    const email = readOption('--email', EmailAddress, options.email)
    const name = readOption('--name', PersonName, options.name)
    const password = await takePassword(generate)
    await withDatabase(addUser)(company, { email, name, role }, password)
  })
  addCommand('list', 'list users: id, creation, state, role, address, name').action(
    ({ company }: { company: string }) => withDatabase(listAllUsers)(company),
  )
  acceptPassword(
    addUserCommand('password', 'set a new password for a user, and sign the user out everywhere'),
    GENERATE,
  ).action(async ({ company, email, generate }: UserOptions & { generate: boolean }) => {
    const password = await takePassword(generate)
    await withDatabase(changePassword)(company, email, password)
  })
  addUserCommand('disable', 'disable a user, and sign the user out everywhere').action(
    ({ company, email }: UserOptions) => withDatabase(disable)(company, email),
  )
  addUserCommand('enable', 'enable a disabled user again').action(({ company, email }: UserOptions) =>
    withDatabase(enable)(company, email),
  )
}

async function addUser(
  connection: Connection,
  companyId: string,
  user: { email: string; name: string; role: Role },
  password: GivenPassword,
): Promise<void> {
  const passwordHash = await hashPassword(password.text)
  const created = await runCommandAction(connection, companyId, createUser, { ...user, passwordHash }).catch(
    (error: unknown) => {
      throw error instanceof ApiError && error.code === 'conflict'
        ? new Error(`${error.message}; "quoting users password" sets a new password`)
        : error
    },
  )
  print(password.isGenerated ? password.text : `Created ${created.id}.`)
}

async function listAllUsers(connection: Connection, companyId: string): Promise<void> {
  const users = await withDb(connection, (client) => listUsers(client, companyId))
  if (users === null) throw new Error(`there is no company ${companyId}`)
  for (const { id, createdAt, disabledAt, role, email, name } of users) {
    const state = disabledAt === null ? 'active' : `disabled ${disabledAt}`
    printRow([id, createdAt, state, role, email, name])
  }
}

async function changePassword(
  connection: Connection,
  companyId: string,
  email: string,
  password: GivenPassword,
): Promise<void> {
  const passwordHash = await hashPassword(password.text)
  await changeUser(connection, companyId, email, (id) =>
    runCommandAction(connection, companyId, changePasswordAction, { id, passwordHash }),
  )
  print(password.isGenerated ? password.text : `${email} has a new password and is signed out everywhere.`)
}

async function disable(connection: Connection, companyId: string, email: string): Promise<void> {
  await changeUser(connection, companyId, email, (id) =>
    runCommandAction(connection, companyId, setUserAccess, { id, isEnabled: false }),
  )
  print(`Disabled ${email}.`)
}

async function enable(connection: Connection, companyId: string, email: string): Promise<void> {
  await changeUser(connection, companyId, email, (id) =>
    runCommandAction(connection, companyId, setUserAccess, { id, isEnabled: true }),
  )
  print(`Enabled ${email}.`)
}

/** Imported users can share an email. Then all of them change. */
async function changeUser(
  connection: Connection,
  companyId: string,
  email: string,
  change: (userId: string) => Promise<void>,
): Promise<void> {
  const ids = await withDb(connection, (client) => listUserIdsByEmail(client, companyId, email))
  if (ids.length === 0) throw unknownUser(companyId, email)
  for (const id of ids) await change(id)
}

function unknownUser(companyId: string, email: string): Error {
  return new Error(
    `company ${companyId} has no user ${email}; "quoting users list --company ${companyId}" shows them`,
  )
}
