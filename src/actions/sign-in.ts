/** Begins a session of a user whose password was verified. */
import { createSession } from '../records/session/queries.ts'
import type { NewSession } from '../records/session/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'

interface SignIn extends NewSession {
  userId: string
  /** The password that was verified. */
  passwordHash: string
}

/** False if the password has changed since it was verified. */
export const signIn = defineAction({
  name: 'signIn',
  lock: 'last',
  run: beginSession,
})

/** Also the session of a user who has just joined or set a password. */
export async function beginSession(
  { db, companyId, actor, audit }: ActionTransaction,
  session: SignIn,
): Promise<boolean> {
  if (!(await createSession(db, companyId, session))) return false
  const subject = { object: 'user', id: session.userId, name: actor.name }
  audit({ type: 'user.signed_in', subject, details: { address: session.address } })
  return true
}
