/** Creates a link with which a user sets a new password, and uses it. */
import { ApiError } from '../core/requests/errors.ts'
import { hashLinkToken, newLinkToken } from '../core/security/link-token.ts'
import { createPasswordReset, takePasswordReset } from '../records/password-reset/queries.ts'
import type { NewSession } from '../records/session/queries.ts'
import { setPassword } from '../records/user/queries.ts'
import { defineAction } from './action.ts'
import { beginSession } from './sign-in.ts'
import { usedLink } from './used-link.ts'
import { findUser } from './users.ts'

/** Returns the token of the link, which is stored only as a hash. */
export const createResetLink = defineAction({
  name: 'createResetLink',
  lock: 'first',
  run: async (transaction, { id }: { id: string }) => {
    const { db, companyId, audit } = transaction
    const { name, email, isDisabled } = await findUser(transaction, id)
    if (isDisabled) throw new ApiError('conflict', { message: 'Enable the user first.' })
    const token = newLinkToken()
    const expiresAt = await createPasswordReset(db, companyId, id, hashLinkToken(token))
    audit({ type: 'user.reset_link_created', subject: { object: 'user', id, name }, details: { email } })
    return { token, expiresAt }
  },
})

interface Reset {
  tokenHash: string
  passwordHash: string
  session: NewSession
}

/** Signs the user out everywhere else. The context names the user as the actor. */
export const resetPassword = defineAction({
  name: 'resetPassword',
  lock: 'first',
  run: async (transaction, { tokenHash, passwordHash, session }: Reset) => {
    const { db, companyId, audit } = transaction
    const userId = await takePasswordReset(db, companyId, tokenHash)
    const user = userId === null ? null : await setPassword(db, companyId, userId, passwordHash)
    if (user === null) throw usedLink()
    const { id, name, email } = user
    audit({ type: 'user.password_reset', subject: { object: 'user', id, name }, details: { email } })
    if (!(await beginSession(transaction, { ...session, userId: id, passwordHash }))) throw usedLink()
  },
})
