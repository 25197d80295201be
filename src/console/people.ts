/** The people of the company: its users, open invitations, and links to set a new password. */
import { z } from 'zod'
import { ROLES } from '../core/enumerations.ts'
import { isPossibleId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { isEmailAddress } from '../core/security/email.ts'
import { companyLink } from '../core/security/link-token.ts'
import { runAction } from '../actions/action.ts'
import { inviteUser, revokeInvitation } from '../actions/invitations.ts'
import { createResetLink } from '../actions/password-resets.ts'
import { changeRole, setUserAccess } from '../actions/users.ts'
import { listInvitations } from '../records/invitation/queries.ts'
import type { ListedInvitation } from '../records/invitation/queries.ts'
import { listUsers } from '../records/user/queries.ts'
import type { ListedUser } from '../records/user/queries.ts'
import { consoleRoute } from './route.ts'

export interface PeopleAnswer {
  users: ListedUser[]
  /** Open ones, the latest first. */
  invitations: ListedInvitation[]
}

/** A link to hand over. Only in this answer. */
export interface LinkAnswer {
  url: string
  expiresAt: string
}

const RoleChoice = z.enum(ROLES, 'Choose a role.')
const notFound = (what: string) => new ApiError('not_found', { message: `${what} not found.` })

const showPeople = consoleRoute({
  method: 'GET',
  path: '/console/settings/people',
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ db, companyId }): Promise<PeopleAnswer> => {
    const [users, invitations] = await Promise.all([listUsers(db, companyId), listInvitations(db, companyId)])
    return { users: users ?? [], invitations }
  },
})

const invite = consoleRoute({
  method: 'POST',
  path: '/console/settings/people/invitations',
  role: 'ADMIN',
  input: z.strictObject({
    email: z.string('Enter an email address.').trim().refine(isEmailAddress, 'Enter an email address.'),
    role: RoleChoice,
  }),
  answer: async ({ action, companyId, input, publicUrl }): Promise<LinkAnswer> => {
    const { token, expiresAt } = await runAction(action, inviteUser, input)
    return { url: `${publicUrl}/invite/${companyLink(companyId, token)}`, expiresAt }
  },
})

const revoke = consoleRoute({
  method: 'DELETE',
  path: '/console/settings/people/invitations/:id',
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ action, id }) => {
    if (!isPossibleId(id)) throw notFound('Invitation')
    await runAction(action, revokeInvitation, { id })
    return null
  },
})

const changeUser = consoleRoute({
  method: 'PATCH',
  path: '/console/settings/people/:id',
  role: 'ADMIN',
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
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ action, companyId, id, publicUrl }): Promise<LinkAnswer> => {
    if (!isPossibleId(id)) throw notFound('User')
    const { token, expiresAt } = await runAction(action, createResetLink, { id })
    return { url: `${publicUrl}/reset/${companyLink(companyId, token)}`, expiresAt }
  },
})

export const peopleRoutes = [showPeople, invite, revoke, changeUser, createReset]
