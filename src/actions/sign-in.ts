/** Begins a session of a user whose password was verified. */
import { z } from 'zod'
import { VISITORS } from '../core/callers.ts'
import { createSession } from '../records/session/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'

/** A session to begin. */
export const SessionInput = z.strictObject({
  tokenHash: z.string(),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
})

const SignIn = SessionInput.extend({
  userId: z.string(),
  /** The password that was verified. */
  passwordHash: z.string(),
})

/** False if the password has changed since it was verified. */
export const signIn = defineAction({
  name: 'signIn',
  allowed: VISITORS,
  input: SignIn,
  lock: 'last',
  run: beginSession,
})

/** Also the session of a user who has just joined or set a password. */
export async function beginSession(
  { db, companyId, actor, audit }: ActionTransaction,
  session: z.output<typeof SignIn>,
): Promise<boolean> {
  if (!(await createSession(db, companyId, session))) return false
  const subject = { object: 'user', id: session.userId, name: actor.name }
  audit({ type: 'user.signed_in', subject, details: { address: session.address } })
  return true
}
