/** Signing in to the application, and out again. */
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'
import type { Plan, Role } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { runAction } from '../actions/action.ts'
import type { ActionContext } from '../actions/action.ts'
import { signIn } from '../actions/sign-in.ts'
import { signOutEverywhere } from '../actions/users.ts'
import { hasCompanies } from '../records/company/queries.ts'
import type { SignedInUser } from '../records/session/queries.ts'
import { SIGN_IN_MAX_BYTES } from '../http/limits.ts'
import { createCredentialCheck } from './credentials.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import type { ConsoleParts } from './register.ts'
import { readInput } from './input.ts'
import { refuseOtherSites } from './session.ts'
import type { Sessions } from './session.ts'

export interface Session {
  user: { id: string; name: string; email: string; role: Role }
  company: { id: string; name: string; plan: Plan; currency: string; locale: string | null }
}

/** The signed-in user. */
export interface SessionAnswer {
  session: Session | null
  /** There is no company yet, so no user can sign in. */
  needsSetup?: true
  /** No user is signed in, and a link to set a new password can be sent by email. */
  mailsResets?: true
}

/** Email and password match users of several companies. The user has to choose one. */
export interface CompanyChoice {
  companies: { id: string; name: string }[]
}

const SignIn = z.strictObject({
  email: z.string().trim().min(1, 'Enter your email.').max(320),
  password: z.string().min(1, 'Enter your password.').max(1_000),
  companyId: z.string().optional(),
})

export function registerSignIn(
  app: FastifyInstance,
  parts: ConsoleParts,
  sessions: Sessions,
  signInThrottle: SignInThrottle,
): void {
  const findVerified = createCredentialCheck(parts.db)
  // Companies are never deleted.
  let isSetUp = false
  const limits: RouteShorthandOptions = {
    bodyLimit: SIGN_IN_MAX_BYTES,
    onRequest: async (request) => {
      if (request.method !== 'GET') refuseOtherSites(request, parts.publicUrl())
    },
  }

  app.post('/console/session', limits, async (request, reply) => {
    const { email, password, companyId } = readInput(SignIn, request)
    const users = await signInThrottle.run(email, parts.addressOf(request), async () => {
      const result = await findVerified(email, password, companyId)
      return { isRight: result.length > 0, result }
    })
    const [user, ...others] = users
    if (user === undefined) throw wrong()
    if (others.length > 0) {
      const companies = users.map(({ companyId: id, companyName: name }) => ({ id, name }))
      return reply.send({ companies } satisfies CompanyChoice)
    }
    const { id: userId, passwordHash } = user
    const isBegun = await sessions.begin(request, reply, user.companyId, (session) =>
      runAction(contextOf(parts, user, 'visitor'), signIn, { ...session, userId, passwordHash }),
    )
    if (!isBegun) throw wrong()
    return reply.code(204).send()
  })

  app.get('/console/session', async (request, reply) => {
    const user = await sessions.find(request)
    // Not an error: asking who is signed in is how the application begins.
    if (user !== null) return reply.send({ session: presentSession(user) } satisfies SessionAnswer)
    isSetUp ||= await hasCompanies(parts.db)
    const answer: SessionAnswer = { session: null }
    if (!isSetUp) answer.needsSetup = true
    if (parts.outbox !== undefined) answer.mailsResets = true
    return reply.send(answer)
  })

  app.delete('/console/session', limits, async (request, reply) => {
    await sessions.end(request, reply)
    return reply.code(204).send()
  })

  app.delete('/console/sessions', limits, async (request, reply) => {
    const user = await sessions.find(request)
    if (user === null) throw new ApiError('not_signed_in')
    await runAction(contextOf(parts, user, user.role), signOutEverywhere, {})
    await sessions.end(request, reply)
    return reply.code(204).send()
  })
}

/** For actions of a user. */
export function contextOf(
  { db, invoiceUrl, quoteUrl, outbox }: Pick<ConsoleParts, 'db' | 'invoiceUrl' | 'quoteUrl' | 'outbox'>,
  { companyId, id, name }: { companyId: string; id: string; name: string },
  caller: Role | 'visitor',
): ActionContext {
  const presentation = { now: new Date().toISOString(), invoiceUrl, quoteUrl }
  return { pool: db, companyId, actor: { type: 'user', id, name }, caller, presentation, outbox }
}

function wrong(): ApiError {
  return new ApiError('not_signed_in', { message: 'Incorrect email or password.' })
}

function presentSession({
  id,
  name,
  email,
  role,
  companyId,
  companyName,
  plan,
  currency,
  locale,
}: SignedInUser): Session {
  const company = { id: companyId, name: companyName, plan, currency, locale }
  return { user: { id, name, email, role }, company }
}
