/** `quoting users`: manages the users of the console. */
import { isEmailAddress } from '../core/security/email.ts'
import type { Role } from '../core/enumerations.ts'
import { hashPassword } from '../core/security/password.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import type { Db } from '../db/statement.ts'
import { transact } from '../db/transaction.ts'
import {
  createUser,
  disableUser,
  enableUser,
  listUserIdsByEmail,
  listUsers,
  setPassword,
} from '../records/user/queries.ts'
import type { GivenPassword } from './password-input.ts'
import { print, printRow } from './print.ts'

/** Checked before asking for a password. */
export function checkUser({ email, name }: { email: string; name: string }): void {
  if (!isEmailAddress(email)) throw new Error(`${JSON.stringify(email)} is no e-mail address`)
  if (name.trim() === '') throw new Error('the name of a user must not be empty')
}

export async function addUser(
  connection: Connection,
  companyId: string,
  user: { email: string; name: string; role: Role },
  password: GivenPassword,
): Promise<void> {
  const passwordHash = await hashPassword(password.text)
  const created = await withDb(connection, (client) =>
    createUser(client, companyId, { ...user, passwordHash }),
  )
  if (created === 'no company') throw new Error(`there is no company ${companyId}`)
  if (created === 'address taken') {
    throw new Error(
      `company ${companyId} has a user ${user.email} already; "quoting users password" gives a new password`,
    )
  }
  print(password.isGenerated ? password.text : `Created ${created.id}.`)
}

export async function listAllUsers(connection: Connection, companyId: string): Promise<void> {
  const users = await withDb(connection, (client) => listUsers(client, companyId))
  if (users === null) throw new Error(`there is no company ${companyId}`)
  for (const { id, createdAt, disabledAt, role, email, name } of users) {
    const state = disabledAt === null ? 'active' : `disabled ${disabledAt}`
    printRow([id, createdAt, state, role, email, name])
  }
}

export async function changePassword(
  connection: Connection,
  companyId: string,
  email: string,
  password: GivenPassword,
): Promise<void> {
  const passwordHash = await hashPassword(password.text)
  await changeUser(connection, companyId, email, (db, company, id) =>
    setPassword(db, company, id, passwordHash),
  )
  print(password.isGenerated ? password.text : `${email} has a new password and is signed out everywhere.`)
}

export async function disable(connection: Connection, companyId: string, email: string): Promise<void> {
  await changeUser(connection, companyId, email, disableUser)
  print(`Disabled ${email}.`)
}

export async function enable(connection: Connection, companyId: string, email: string): Promise<void> {
  await changeUser(connection, companyId, email, enableUser)
  print(`Enabled ${email}.`)
}

async function changeUser(
  connection: Connection,
  companyId: string,
  email: string,
  change: (db: Db, companyId: string, userId: string) => Promise<boolean>,
): Promise<void> {
  await withDb(connection, async (client) => {
    const ids = await listUserIdsByEmail(client, companyId, email)
    if (ids.length === 0) throw unknownUser(companyId, email)
    await transact(client, async () => {
      for (const id of ids) await change(client, companyId, id)
    })
  })
}

function unknownUser(companyId: string, email: string): Error {
  return new Error(
    `company ${companyId} has no user ${email}; "quoting users list --company ${companyId}" shows them`,
  )
}
