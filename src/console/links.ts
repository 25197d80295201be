/** Calls of the pages that links open: setup, invitations and password resets. They need no session, and begin one. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'
import { newId } from '../core/ids.ts'
import { hashLinkToken, parseCompanyLink } from '../core/security/link-token.ts'
import type { LinkRef } from '../core/security/link-token.ts'
import { hashPassword, passwordProblem } from '../core/security/password.ts'
import { runAction } from '../actions/action.ts'
import { CompanyName, Country, CurrencyCode, Locale, TimeZone } from '../actions/company-input.ts'
import { createCompany } from '../actions/create-company.ts'
import { acceptInvitation } from '../actions/invitations.ts'
import { resetPassword } from '../actions/password-resets.ts'
import { usedLink } from '../actions/used-link.ts'
import { EmailAddress, PersonName } from '../actions/user-input.ts'
import { findInvitation } from '../records/invitation/queries.ts'
import { findPasswordReset } from '../records/password-reset/queries.ts'
import { isSetupLink } from '../records/setup-link/queries.ts'
import { SIGN_IN_MAX_BYTES } from '../http/limits.ts'
import { readInput } from './input.ts'
import type { ConsoleParts } from './register.ts'
import { refuseOtherSites } from './session.ts'
import type { Sessions } from './session.ts'
import { contextOf } from './sign-in.ts'

/** Facts for the page of a link. */
export interface OpenedLink {
  /** Of an invitation or a reset. */
  companyName: string | null
  email: string | null
  name: string | null
}

const Token = z.string().max(1_000)
const Password = z.string('Enter a password.').superRefine((password, context) => {
  const problem = passwordProblem(password)
  if (problem !== null) context.addIssue({ code: 'custom', message: `The password ${problem}.` })
})

const Opened = z.strictObject({ kind: z.enum(['setup', 'invite', 'reset']), token: Token })
const Setup = z.strictObject({
  token: Token,
  company: z.strictObject({
    name: CompanyName,
    country: Country,
    currency: CurrencyCode,
    timeZone: TimeZone,
    locale: Locale.optional(),
  }),
  user: z.strictObject({
    name: PersonName,
    email: EmailAddress,
    password: Password,
  }),
})
const Joined = z.strictObject({ token: Token, name: PersonName, password: Password })
const Reset = z.strictObject({ token: Token, password: Password })

export function registerLinks(app: FastifyInstance, parts: ConsoleParts, sessions: Sessions): void {
  const { db } = parts
  const options: RouteShorthandOptions = {
    bodyLimit: SIGN_IN_MAX_BYTES,
    onRequest: async (request) => refuseOtherSites(request, parts.publicUrl()),
  }

  // The token is in the body, not in the path, so that no log of a proxy has it once more.
  app.post('/console/links/open', options, async (request, reply) => {
    const { kind, token } = readInput(Opened, request)
    return reply.send(await open(parts, kind, token))
  })

  app.post('/console/links/setup', options, async (request, reply) => {
    const { token, company, user } = readInput(Setup, request)
    // Before the password is hashed, which is slow on purpose.
    await open(parts, 'setup', token)
    const { password, ...person } = user
    const passwordHash = await hashPassword(password)
    const { locale = null, ...facts } = company
    const [companyId, id] = [newId('co'), newId('user')]
    await sessions.begin(request, reply, companyId, async (session) => {
      await runAction(contextOf(parts, { companyId, id, name: person.name }, 'visitor'), createCompany, {
        company: { ...facts, locale, plan: 'PREMIUM' },
        user: { ...person, id, passwordHash },
        setup: { tokenHash: hashLinkToken(token), session },
      })
      return true
    })
    return reply.code(204).send()
  })

  app.post('/console/links/invite', options, async (request, reply) => {
    const { token, name, password } = readInput(Joined, request)
    const { companyId, tokenHash } = refOf(token)
    await open(parts, 'invite', token)
    const passwordHash = await hashPassword(password)
    const userId = newId('user')
    await sessions.begin(request, reply, companyId, async (session) => {
      const input = { userId, tokenHash, name, passwordHash, session }
      await runAction(contextOf(parts, { companyId, id: userId, name }, 'visitor'), acceptInvitation, input)
      return true
    })
    return reply.code(204).send()
  })

  app.post('/console/links/reset', options, async (request, reply) => {
    const { token, password } = readInput(Reset, request)
    const { companyId, tokenHash } = refOf(token)
    const user = await findPasswordReset(db, { companyId, tokenHash })
    if (user === null) throw usedLink()
    const passwordHash = await hashPassword(password)
    await sessions.begin(request, reply, companyId, async (session) => {
      const input = { tokenHash, passwordHash, session }
      await runAction(
        contextOf(parts, { companyId, id: user.userId, name: user.name }, 'visitor'),
        resetPassword,
        input,
      )
      return true
    })
    return reply.code(204).send()
  })
}

function refOf(token: string): LinkRef {
  const ref = parseCompanyLink(token)
  if (ref === null) throw usedLink()
  return ref
}

/** Throws if the link does not work. */
async function open(
  { db }: ConsoleParts,
  kind: 'setup' | 'invite' | 'reset',
  token: string,
): Promise<OpenedLink> {
  if (kind === 'setup') {
    if (!(await isSetupLink(db, hashLinkToken(token)))) throw usedLink()
    return { companyName: null, email: null, name: null }
  }
  const ref = refOf(token)
  const found = kind === 'invite' ? await findInvitation(db, ref) : await findPasswordReset(db, ref)
  if (found === null) throw usedLink()
  return { companyName: found.companyName, email: found.email, name: 'name' in found ? found.name : null }
}
