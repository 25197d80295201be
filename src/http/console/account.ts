/** What users do with their own account. */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { hashPassword, passwordProblem, verifyPassword } from '../../core/password.ts'
import { findUsersByEmail, setPassword } from '../../db/users.ts'
import { consoleRoute } from './route.ts'

const Passwords = z.strictObject({ current: z.string().max(1_000), next: z.string() })

const changePassword = consoleRoute({
  method: 'PUT',
  path: '/console/account/password',
  input: Passwords,
  answer: async ({ db, companyId, user, input }) => {
    const users = await findUsersByEmail(db, user.email)
    const own = users.find(({ companyId: company, id }) => company === companyId && id === user.id)
    if (own === undefined) throw new ApiError('not_signed_in')
    if (!(await verifyPassword(input.current, own.passwordHash)))
      throw invalid('current', 'This is not your current password.')
    const problem = passwordProblem(input.next)
    if (problem !== null) throw invalid('next', `The new password ${problem}.`)
    // Whoever knew the old one is signed out with it, this browser included.
    const hash = await hashPassword(input.next)
    const client = await db.connect()
    try {
      await setPassword(client, companyId, user.id, hash)
    } finally {
      client.release()
    }
    return null
  },
})

function invalid(field: string, message: string): ApiError {
  return new ApiError('invalid_body', { message, details: { [field]: { _errors: [message] } } })
}

export const accountRoutes = [changePassword]
