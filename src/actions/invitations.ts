/** Invites people to the company by a link, revokes invitations, and accepts them. */
import type { Role } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { hashLinkToken, newLinkToken } from '../core/security/link-token.ts'
import {
  createInvitation,
  revokeInvitation as removeInvitation,
  takeInvitation,
} from '../records/invitation/queries.ts'
import type { NewSession } from '../records/session/queries.ts'
import { createUser, listUserIdsByEmail } from '../records/user/queries.ts'
import { defineAction } from './action.ts'
import { beginSession } from './sign-in.ts'
import { usedLink } from './used-link.ts'

const taken = (email: string) => {
  const message = `${email} already belongs to a user of your company.`
  return new ApiError('conflict', { message, details: { email: { _errors: [message] } } })
}

/** Returns the token of the link, which is stored only as a hash. */
export const inviteUser = defineAction({
  name: 'inviteUser',
  lock: 'first',
  run: async ({ db, companyId, actor, audit }, { email, role }: { email: string; role: Role }) => {
    if ((await listUserIdsByEmail(db, companyId, email)).length > 0) throw taken(email)
    const token = newLinkToken()
    const invitation = { email, role, tokenHash: hashLinkToken(token), invitedBy: actor.name }
    const { id, expiresAt } = await createInvitation(db, companyId, invitation)
    audit({ type: 'user.invited', subject: { object: 'invitation', id, name: email }, details: { role } })
    return { id, token, expiresAt }
  },
})

export const revokeInvitation = defineAction({
  name: 'revokeInvitation',
  lock: 'first',
  run: async ({ db, companyId, audit }, { id }: { id: string }) => {
    const revoked = await removeInvitation(db, companyId, id)
    if (revoked === null) throw new ApiError('not_found', { message: 'Invitation not found.' })
    audit({
      type: 'user.invitation_revoked',
      subject: { object: 'invitation', id, name: revoked.email },
    })
  },
})

interface Acceptance {
  userId: string
  tokenHash: string
  name: string
  passwordHash: string
  session: NewSession
}

/** The context names the new user as the actor. */
export const acceptInvitation = defineAction({
  name: 'acceptInvitation',
  lock: 'first',
  run: async (transaction, { userId: id, tokenHash, name, passwordHash, session }: Acceptance) => {
    const { db, companyId, audit } = transaction
    const invitation = await takeInvitation(db, companyId, tokenHash)
    if (invitation === null) throw usedLink()
    const { email, role } = invitation
    const created = await createUser(db, companyId, { id, email, name, role, passwordHash })
    if (created === 'address taken') throw taken(email)
    audit({ type: 'user.joined', subject: { object: 'user', id, name }, details: { email, role } })
    if (!(await beginSession(transaction, { ...session, userId: id, passwordHash }))) throw usedLink()
  },
})
