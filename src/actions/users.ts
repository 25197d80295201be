/** Creates users, sets their passwords, and disables and enables them. */
import { ApiError } from '../core/requests/errors.ts'
import { createUser as insertUser, disableUser, enableUser, setPassword } from '../records/user/queries.ts'
import type { ChangedUser, NewUser } from '../records/user/queries.ts'
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
    if (isEnabled) auditUser(transaction, 'user.enabled', await enableUser(db, companyId, id))
    else auditUser(transaction, 'user.disabled', await disableUser(db, companyId, id))
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
  if (user === null) throw new ApiError('not_found', { message: 'User not found.' })
  audit({ type, subject: { object: 'user', id: user.id, name: user.name }, details: { email: user.email } })
}
