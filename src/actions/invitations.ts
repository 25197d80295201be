/** Invites people to the company by a link or by mail, revokes invitations, and accepts them. */
import { z } from 'zod'
import { ADMINS, VISITORS } from '../core/callers.ts'
import { ROLES } from '../core/enumerations.ts'
import { renderMail } from '../core/mail/content.ts'
import { formatMoment } from '../core/mail/format.ts'
import { invitation } from '../core/mail/messages.ts'
import { ApiError } from '../core/requests/errors.ts'
import { companyLink, hashLinkToken, newLinkToken } from '../core/security/link-token.ts'
import {
  createInvitation,
  revokeInvitation as removeInvitation,
  takeInvitation,
} from '../records/invitation/queries.ts'
import { brandOf } from '../records/mail/brand.ts'
import { cancelMailsTo, queueMail } from '../records/mail/queue.ts'
import { createUser, listUserIdsByEmail } from '../records/user/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { companyOf, requireMail } from './mails.ts'
import { SessionInput, beginSession } from './sign-in.ts'
import { Target } from './targets.ts'
import { usedLink } from './used-link.ts'
import { EmailAddress, PersonName } from './user-input.ts'

const taken = (email: string) => {
  const message = `${email} already belongs to a user of your company.`
  return new ApiError('conflict', { message, details: { email: { _errors: [message] } } })
}

export const NewInvitation = z.strictObject({
  email: EmailAddress,
  role: z.enum(ROLES, 'Choose a role.'),
  /** Send the link. Otherwise it is only returned, to be handed over. */
  byMail: z.boolean().default(false),
})

/** Returns the token of the link, which is stored only as a hash. */
export const inviteUser = defineAction({
  name: 'inviteUser',
  allowed: ADMINS,
  input: NewInvitation,
  lock: 'first',
  run: async (transaction, { email, role, byMail }) => {
    const { db, companyId, actor, audit } = transaction
    if ((await listUserIdsByEmail(db, companyId, email)).length > 0) throw taken(email)
    await cancelMailsTo(db, companyId, email, 'invitation')
    const token = newLinkToken()
    const values = { email, role, tokenHash: hashLinkToken(token), invitedBy: actor.name }
    const { id, expiresAt } = await createInvitation(db, companyId, values)
    audit({ type: 'user.invited', subject: { object: 'invitation', id, name: email }, details: { role } })
    if (byMail) await mailInvitation(transaction, { id, email, token, expiresAt })
    return { id, token, expiresAt }
  },
})

async function mailInvitation(
  { db, companyId, actor, outbox, announce }: ActionTransaction,
  { id, email, token, expiresAt }: { id: string; email: string; token: string; expiresAt: string },
): Promise<void> {
  requireMail(outbox)
  const profile = await companyOf(db, companyId)
  const content = invitation({
    company: profile.name,
    invitedBy: actor.name,
    url: `${outbox.publicUrl()}/invite/${companyLink(companyId, token)}`,
    validUntil: formatMoment(expiresAt, profile),
  })
  await queueMail(db, companyId, {
    kind: 'invitation',
    to: email,
    replyTo: null,
    record: { object: 'invitation', id },
    ...renderMail(brandOf(profile), content),
    secret: { seal: outbox.seal, expiresAt },
  })
  announce()
}

export const revokeInvitation = defineAction({
  name: 'revokeInvitation',
  allowed: ADMINS,
  input: Target,
  lock: 'first',
  run: async ({ db, companyId, audit }, { id }) => {
    const revoked = await removeInvitation(db, companyId, id)
    if (revoked === null) throw new ApiError('not_found', { message: 'Invitation not found.' })
    await cancelMailsTo(db, companyId, revoked.email, 'invitation')
    audit({
      type: 'user.invitation_revoked',
      subject: { object: 'invitation', id, name: revoked.email },
    })
  },
})

const Acceptance = z.strictObject({
  userId: z.string(),
  tokenHash: z.string(),
  name: PersonName,
  passwordHash: z.string(),
  session: SessionInput,
})

/** The context names the new user as the actor. */
export const acceptInvitation = defineAction({
  name: 'acceptInvitation',
  allowed: VISITORS,
  input: Acceptance,
  lock: 'first',
  run: async (transaction, { userId: id, tokenHash, name, passwordHash, session }) => {
    const { db, companyId, audit } = transaction
    const taking = await takeInvitation(db, companyId, tokenHash)
    if (taking === null) throw usedLink()
    const { email, role } = taking
    const created = await createUser(db, companyId, { id, email, name, role, passwordHash })
    if (created === 'address taken') throw taken(email)
    audit({ type: 'user.joined', subject: { object: 'user', id, name }, details: { email, role } })
    if (!(await beginSession(transaction, { ...session, userId: id, passwordHash }))) throw usedLink()
  },
})
