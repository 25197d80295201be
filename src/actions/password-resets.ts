/** Creates a link with which a user sets a new password, and uses it. */
import { z } from 'zod'
import { ADMINS, VISITORS } from '../core/callers.ts'
import { renderMail } from '../core/mail/content.ts'
import { formatMoment } from '../core/mail/format.ts'
import { passwordReset } from '../core/mail/messages.ts'
import { ApiError } from '../core/requests/errors.ts'
import { companyLink, hashLinkToken, newLinkToken } from '../core/security/link-token.ts'
import { brandOf } from '../records/mail/brand.ts'
import { cancelMailsTo, queueMail } from '../records/mail/queue.ts'
import { createPasswordReset, takePasswordReset } from '../records/password-reset/queries.ts'
import { setPassword } from '../records/user/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { companyOf, requireMail } from './mails.ts'
import { SessionInput, beginSession } from './sign-in.ts'
import { Target } from './targets.ts'
import { usedLink } from './used-link.ts'
import { findUser } from './users.ts'

const ResetRequest = Target.extend({
  /** Send the link to the user. */
  byMail: z.boolean(),
})

/** Returns the token of the link, which is stored only as a hash. Also for users who forgot their password. */
export const createResetLink = defineAction({
  name: 'createResetLink',
  allowed: ADMINS,
  input: ResetRequest,
  lock: 'first',
  run: async (transaction, { id, byMail }) => {
    const { db, companyId, audit } = transaction
    const { name, email, isDisabled } = await findUser(transaction, id)
    if (isDisabled) throw new ApiError('conflict', { message: 'Enable the user first.' })
    await cancelMailsTo(db, companyId, email, 'password_reset')
    const token = newLinkToken()
    const expiresAt = await createPasswordReset(db, companyId, id, hashLinkToken(token))
    audit({ type: 'user.reset_link_created', subject: { object: 'user', id, name }, details: { email } })
    if (byMail) await mailReset(transaction, { id, name, email, token, expiresAt })
    return { token, expiresAt, email }
  },
})

async function mailReset(
  { db, companyId, outbox, announce }: ActionTransaction,
  reset: { id: string; name: string; email: string; token: string; expiresAt: string },
): Promise<void> {
  requireMail(outbox)
  const { id, name, email, token, expiresAt } = reset
  const profile = await companyOf(db, companyId)
  const content = passwordReset({
    company: profile.name,
    name,
    url: `${outbox.publicUrl()}/reset/${companyLink(companyId, token)}`,
    validUntil: formatMoment(expiresAt, profile),
  })
  await queueMail(db, companyId, {
    kind: 'password_reset',
    to: email,
    replyTo: null,
    record: { object: 'user', id },
    ...renderMail(brandOf(profile), content),
    secret: { seal: outbox.seal, expiresAt },
  })
  announce()
}

const Reset = z.strictObject({ tokenHash: z.string(), passwordHash: z.string(), session: SessionInput })

/** Signs the user out everywhere else. The context names the user as the actor. */
export const resetPassword = defineAction({
  name: 'resetPassword',
  allowed: VISITORS,
  input: Reset,
  lock: 'first',
  run: async (transaction, { tokenHash, passwordHash, session }) => {
    const { db, companyId, audit } = transaction
    const userId = await takePasswordReset(db, companyId, tokenHash)
    const user = userId === null ? null : await setPassword(db, companyId, userId, passwordHash)
    if (user === null) throw usedLink()
    const { id, name, email } = user
    audit({ type: 'user.password_reset', subject: { object: 'user', id, name }, details: { email } })
    if (!(await beginSession(transaction, { ...session, userId: id, passwordHash }))) throw usedLink()
  },
})
