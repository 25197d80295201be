/** What users do with their own account. */
import { z } from 'zod'
import { isPossibleId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { hashPassword, passwordProblem, verifyPassword } from '../core/security/password.ts'
import { runAction } from '../actions/action.ts'
import { changePassword as changePasswordAction, endSession } from '../actions/users.ts'
import { listOwnSessions } from '../records/session/own.ts'
import type { OwnSession } from '../records/session/own.ts'
import { findUsersByEmail } from '../records/user/queries.ts'
import { consoleRoute } from './route.ts'

const Passwords = z.strictObject({ current: z.string().max(1_000), next: z.string() })

const changePassword = consoleRoute({
  method: 'PUT',
  path: '/console/account/password',
  isSlow: true,
  input: Passwords,
  answer: async ({ db, action, companyId, user, input, signInThrottle, address }) => {
    const problem = passwordProblem(input.next)
    if (problem !== null) throw invalid('next', `The new password ${problem}.`)
    // A stolen session must not allow faster guessing than the sign-in form.
    const isRight = await signInThrottle.run(user.email, address, async () => {
      const users = await findUsersByEmail(db, user.email)
      const own = users.find((one) => one.companyId === companyId && one.id === user.id)
      const result = own !== undefined && (await verifyPassword(input.current, own.passwordHash))
      return { isRight: result, result }
    })
    if (!isRight) throw invalid('current', 'Incorrect password.')
    const hash = await hashPassword(input.next)
    // Signs out every session of the user, this one included.
    await runAction(action, changePasswordAction, { id: user.id, passwordHash: hash })
    return null
  },
})

function invalid(field: string, message: string): ApiError {
  return new ApiError('invalid_body', { message, details: { [field]: { _errors: [message] } } })
}

export interface SessionsAnswer {
  /** The one that asks first, then the most recently used. */
  sessions: OwnSession[]
}

const showSessions = consoleRoute({
  method: 'GET',
  path: '/console/account/sessions',
  answer: async ({ db, companyId, user, tokenHash }): Promise<SessionsAnswer> => ({
    sessions: await listOwnSessions(db, companyId, user.id, tokenHash),
  }),
})

const endOne = consoleRoute({
  method: 'DELETE',
  path: '/console/account/sessions/:id',
  answer: async ({ action, id }) => {
    if (!isPossibleId(id)) throw new ApiError('not_found', { message: 'Session not found.' })
    await runAction(action, endSession, { id })
    return null
  },
})

export const accountRoutes = [changePassword, showSessions, endOne]
