/** Creates users, sets their passwords, and disables and enables them. */
import { z } from 'zod'
import { ADMINS, SYSTEM_ONLY, USERS } from '../core/callers.ts'
import type { Actor } from '../core/change-log/change-types.ts'
import { ROLES } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import {
  disableUser,
  enableUser,
  findUserState,
  createUser as insertUser,
  setPassword,
  setRole,
} from '../records/user/queries.ts'
import type { ChangedUser, UserState } from '../records/user/queries.ts'
import { endOwnSession } from '../records/session/own.ts'
import { removeSessionsOfUser } from '../records/session/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { Target } from './targets.ts'
import { EmailAddress, PersonName } from './user-input.ts'

export const createUser = defineAction({
  name: 'createUser',
  allowed: SYSTEM_ONLY,
  input: z.strictObject({
    email: EmailAddress,
    name: PersonName,
    role: z.enum(ROLES),
    passwordHash: z.string(),
  }),
  lock: 'first',
  run: async ({ db, companyId, audit }, user) => {
    const created = await insertUser(db, companyId, user)
    if (created === 'no company')
      throw new ApiError('not_found', { message: `there is no company ${companyId}` })
    if (created === 'address taken') {
      throw new ApiError('conflict', { message: `company ${companyId} has a user ${user.email} already` })
    }
    const { email, role } = user
    audit({
      type: 'user.created',
      subject: { object: 'user', id: created.id, name: user.name },
      details: { email, role },
    })
    return created
  },
})

/** Signs the user out everywhere. Users change only their own password. */
export const changePassword = defineAction({
  name: 'changePassword',
  allowed: USERS,
  input: Target.extend({ passwordHash: z.string() }),
  lock: 'first',
  run: async (transaction, { id, passwordHash }) => {
    const { db, companyId, caller, actor } = transaction
    if (caller !== 'system' && actor.id !== id)
      throw new ApiError('forbidden', { message: 'You can change only your own password.' })
    auditUser(transaction, 'user.password_changed', await setPassword(db, companyId, id, passwordHash))
  },
})

export const setUserAccess = defineAction({
  name: 'setUserAccess',
  allowed: ADMINS,
  input: Target.extend({ isEnabled: z.boolean() }),
  lock: 'first',
  run: async (transaction, { id, isEnabled }) => {
    const { db, companyId } = transaction
    if (!isEnabled) refuseLastAdmin(await findUser(transaction, id))
    if (isEnabled) auditUser(transaction, 'user.enabled', await enableUser(db, companyId, id))
    else auditUser(transaction, 'user.disabled', await disableUser(db, companyId, id))
  },
})

export const changeRole = defineAction({
  name: 'changeRole',
  allowed: ADMINS,
  input: Target.extend({ role: z.enum(ROLES) }),
  lock: 'first',
  run: async (transaction, { id, role }) => {
    const { db, companyId, audit } = transaction
    const user = await findUser(transaction, id)
    if (user.role === role) return
    refuseLastAdmin(user)
    await setRole(db, companyId, id, role)
    const details = { email: user.email, role }
    audit({ type: 'user.role_changed', subject: { object: 'user', id, name: user.name }, details })
  },
})

const LAST_ADMIN = 'This is the only active administrator. Make someone else an administrator first.'

function refuseLastAdmin({ isLastAdmin }: UserState): void {
  if (isLastAdmin) throw new ApiError('conflict', { message: LAST_ADMIN })
}

/** Throws if the company has no such user. */
export async function findUser({ db, companyId }: ActionTransaction, id: string): Promise<UserState> {
  const user = await findUserState(db, companyId, id)
  if (user === null) throw notFound()
  return user
}

const notFound = () => new ApiError('not_found', { message: 'User not found.' })

/** One of the user's own sessions. */
export const endSession = defineAction({
  name: 'endSession',
  allowed: USERS,
  input: Target,
  lock: 'last',
  run: async ({ db, companyId, actor, audit }, { id }) => {
    const userId = userOf(actor)
    const ended = await endOwnSession(db, companyId, userId, id)
    if (ended === null) throw new ApiError('not_found', { message: 'Session not found.' })
    const subject = { object: 'user', id: userId, name: actor.name }
    audit({ type: 'user.session_ended', subject, details: { address: ended.address } })
  },
})

export const signOutEverywhere = defineAction({
  name: 'signOutEverywhere',
  allowed: USERS,
  input: z.strictObject({}),
  lock: 'last',
  run: async ({ db, companyId, actor, audit }) => {
    const id = userOf(actor)
    await removeSessionsOfUser(db, companyId, id)
    audit({ type: 'user.signed_out_everywhere', subject: { object: 'user', id, name: actor.name } })
  },
})

function userOf({ id }: Actor): string {
  if (id === null) throw new Error('only users have sessions')
  return id
}

type UserChange = 'user.password_changed' | 'user.enabled' | 'user.disabled'

function auditUser({ audit }: ActionTransaction, type: UserChange, user: ChangedUser | null): void {
  if (user === null) throw notFound()
  audit({ type, subject: { object: 'user', id: user.id, name: user.name }, details: { email: user.email } })
}
