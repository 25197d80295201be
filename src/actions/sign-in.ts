/** Begins a session of a user whose password was verified. */
import { createSession } from '../records/session/queries.ts'
import { defineAction } from './action.ts'

interface SignIn {
  userId: string
  tokenHash: string
  /** The password that was verified. */
  passwordHash: string
  address: string | null
}

/** False if the password has changed since it was verified. */
export const signIn = defineAction({
  name: 'signIn',
  lock: 'last',
  run: async ({ db, companyId, actor, audit }, { address, ...session }: SignIn) => {
    if (!(await createSession(db, companyId, session))) return false
    const subject = { object: 'user', id: session.userId, name: actor.name }
    audit({ type: 'user.signed_in', subject, details: { address } })
    return true
  },
})
