/** The people of the company: its users, open invitations, and links to set a new password. */
import { z } from 'zod'
import { ADMINS } from '../core/callers.ts'
import { isPossibleId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { companyLink } from '../core/security/link-token.ts'
import { runAction } from '../actions/action.ts'
import { NewInvitation, inviteUser, revokeInvitation } from '../actions/invitations.ts'
import { createResetLink } from '../actions/password-resets.ts'
import { changeRole, setUserAccess } from '../actions/users.ts'
import { listInvitations } from '../records/invitation/queries.ts'
import type { ListedInvitation } from '../records/invitation/queries.ts'
import { listMailsOf } from '../records/mail/list.ts'
import type { ListedMail } from '../records/mail/list.ts'
import { listUsers } from '../records/user/queries.ts'
import type { ListedUser } from '../records/user/queries.ts'
import { consoleRoute } from './route.ts'

export interface PeopleAnswer {
  users: ListedUser[]
  /** Open ones, the latest first. */
  invitations: OpenInvitation[]
  /** Whether links can be sent by email. */
  isMailConfigured: boolean
}

interface OpenInvitation extends ListedInvitation {
  /** Null if the link was handed over. */
  mail: ListedMail | null
}

export interface LinkAnswer {
  /** The link to hand over, only in this answer; null if it was sent by email. */
  url: string | null
  /** Null if it is to be handed over. */
  sentTo: string | null
  expiresAt: string
}

const { byMail: ByMail, role: RoleChoice } = NewInvitation.shape
const notFound = (what: string) => new ApiError('not_found', { message: `${what} not found.` })

const showPeople = consoleRoute({
  method: 'GET',
  path: '/console/settings/people',
  allowed: ADMINS,
  answer: async ({ db, companyId, outbox }): Promise<PeopleAnswer> => {
    const [users, open] = await Promise.all([listUsers(db, companyId), listInvitations(db, companyId)])
    const mails = await listMailsOf(
      db,
      companyId,
      'invitation',
      open.map(({ id }) => id),
    )
    const invitations = open.map((invitation) => ({
      ...invitation,
      mail: mails.find(({ recordId }) => recordId === invitation.id) ?? null,
    }))
    return { users: users ?? [], invitations, isMailConfigured: outbox !== undefined }
  },
})

const invite = consoleRoute({
  method: 'POST',
  path: '/console/settings/people/invitations',
  allowed: inviteUser.allowed,
  input: NewInvitation,
  answer: async ({ action, companyId, input, publicUrl }): Promise<LinkAnswer> => {
    const { token, expiresAt } = await runAction(action, inviteUser, input)
    if (input.byMail) return { url: null, sentTo: input.email, expiresAt }
    return { url: `${publicUrl}/invite/${companyLink(companyId, token)}`, sentTo: null, expiresAt }
  },
})

const revoke = consoleRoute({
  method: 'DELETE',
  path: '/console/settings/people/invitations/:id',
  allowed: revokeInvitation.allowed,
  answer: async ({ action, id }) => {
    if (!isPossibleId(id)) throw notFound('Invitation')
    await runAction(action, revokeInvitation, { id })
    return null
  },
})

const changeUser = consoleRoute({
  method: 'PATCH',
  path: '/console/settings/people/:id',
  allowed: changeRole.allowed,
  input: z.union([z.strictObject({ role: RoleChoice }), z.strictObject({ isEnabled: z.boolean() })]),
  answer: async ({ action, id, input }) => {
    if (!isPossibleId(id)) throw notFound('User')
    if ('role' in input) await runAction(action, changeRole, { id, role: input.role })
    else await runAction(action, setUserAccess, { id, isEnabled: input.isEnabled })
    return null
  },
})

const createReset = consoleRoute({
  method: 'POST',
  path: '/console/settings/people/:id/reset-link',
  allowed: createResetLink.allowed,
  input: z.strictObject({ byMail: ByMail }),
  answer: async ({ action, companyId, id, publicUrl, input: { byMail } }): Promise<LinkAnswer> => {
    if (!isPossibleId(id)) throw notFound('User')
    const { token, expiresAt, email } = await runAction(action, createResetLink, { id, byMail })
    if (byMail) return { url: null, sentTo: email, expiresAt }
    return { url: `${publicUrl}/reset/${companyLink(companyId, token)}`, sentTo: null, expiresAt }
  },
})

export const peopleRoutes = [showPeople, invite, revoke, changeUser, createReset]
