/** Creates users, sets their passwords, and disables and enables them. */
import { ApiError } from '../core/requests/errors.ts'
import type { Role } from '../core/enumerations.ts'
import {
  disableUser,
  enableUser,
  findUserState,
  createUser as insertUser,
  setPassword,
  setRole,
} from '../records/user/queries.ts'
import type { ChangedUser, NewUser, UserState } from '../records/user/queries.ts'
import { endOwnSession } from '../records/session/own.ts'
import { removeSessionsOfUser } from '../records/session/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'

export const createUser = defineAction({
  name: 'createUser',
  lock: 'first',
  run: async ({ db, companyId, audit }, user: NewUser) => {
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

/** Signs the user out everywhere. */
export const changePassword = defineAction({
  name: 'changePassword',
  lock: 'first',
  run: async (transaction, { id, passwordHash }: { id: string; passwordHash: string }) => {
    const { db, companyId } = transaction
    auditUser(transaction, 'user.password_changed', await setPassword(db, companyId, id, passwordHash))
  },
})

export const setUserAccess = defineAction({
  name: 'setUserAccess',
  lock: 'first',
  run: async (transaction, { id, isEnabled }: { id: string; isEnabled: boolean }) => {
    const { db, companyId } = transaction
    if (!isEnabled) refuseLastAdmin(await findUser(transaction, id))
    if (isEnabled) auditUser(transaction, 'user.enabled', await enableUser(db, companyId, id))
    else auditUser(transaction, 'user.disabled', await disableUser(db, companyId, id))
  },
})

export const changeRole = defineAction({
  name: 'changeRole',
  lock: 'first',
  run: async (transaction, { id, role }: { id: string; role: Role }) => {
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
  lock: 'last',
  run: async ({ db, companyId, actor, audit }, { userId, id }: { userId: string; id: string }) => {
    const ended = await endOwnSession(db, companyId, userId, id)
    if (ended === null) throw new ApiError('not_found', { message: 'Session not found.' })
    const subject = { object: 'user', id: userId, name: actor.name }
    audit({ type: 'user.session_ended', subject, details: { address: ended.address } })
  },
})

export const signOutEverywhere = defineAction({
  name: 'signOutEverywhere',
  lock: 'last',
  run: async ({ db, companyId, actor, audit }, { id }: { id: string }) => {
    await removeSessionsOfUser(db, companyId, id)
    audit({ type: 'user.signed_out_everywhere', subject: { object: 'user', id, name: actor.name } })
  },
})

type UserChange = 'user.password_changed' | 'user.enabled' | 'user.disabled'

function auditUser({ audit }: ActionTransaction, type: UserChange, user: ChangedUser | null): void {
  if (user === null) throw notFound()
  audit({ type, subject: { object: 'user', id: user.id, name: user.name }, details: { email: user.email } })
}
