/** Signing in to the application, and out again. */
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Plan, Role } from '../../core/enumerations.ts'
import { ApiError } from '../../core/errors.ts'
import { DUMMY_HASH, verifyPassword } from '../../core/password.ts'
import { removeSessionsOfUser } from '../../db/sessions.ts'
import type { SignedInUser } from '../../db/sessions.ts'
import { findUsersByEmail } from '../../db/users.ts'
import type { SignInUser } from '../../db/users.ts'
import type { Guesses } from './guesses.ts'
import type { ConsoleParts } from './register.ts'
import { readInput } from './input.ts'
import { refuseOtherSites } from './session.ts'
import type { Sessions } from './session.ts'

export interface Session {
  user: { id: string; name: string; email: string; role: Role }
  company: { id: string; name: string; plan: Plan; currency: string }
}

/** Who is signed in. */
export interface SessionAnswer {
  session: Session | null
}

/** The address and password are good for several companies: one has to be chosen. */
export interface CompanyChoice {
  companies: { id: string; name: string }[]
}

const SignIn = z.strictObject({
  email: z.string().trim().min(1, 'Enter your e-mail address.').max(320),
  password: z.string().min(1, 'Enter your password.').max(1_000),
  companyId: z.string().optional(),
})

export function registerSignIn(
  app: FastifyInstance,
  parts: ConsoleParts,
  sessions: Sessions,
  guesses: Guesses,
): void {
  app.post('/console/session', async (request, reply) => {
    refuseOtherSites(request, parts.publicUrl())
    const { email, password, companyId } = readInput(SignIn, request)
    const users = await guesses.run(email, parts.addressOf(request), async () => {
      const found = await findVerified(parts.db, email, password)
      const result = companyId === undefined ? found : found.filter((user) => user.companyId === companyId)
      return { isRight: result.length > 0, result }
    })
    const [user, ...others] = users
    if (user === undefined) throw wrong()
    if (others.length > 0) {
      const companies = users.map(({ companyId: id, companyName: name }) => ({ id, name }))
      return reply.send({ companies } satisfies CompanyChoice)
    }
    if (!(await sessions.begin(request, reply, user))) throw wrong()
    return reply.code(204).send()
  })

  app.get('/console/session', async (request, reply) => {
    const user = await sessions.find(request)
    // Not an error: asking who is signed in is how the application begins.
    const session = user === null ? null : presentSession(user)
    return reply.send({ session } satisfies SessionAnswer)
  })

  app.delete('/console/session', async (request, reply) => {
    refuseOtherSites(request, parts.publicUrl())
    await sessions.end(request, reply)
    return reply.code(204).send()
  })

  app.delete('/console/sessions', async (request, reply) => {
    refuseOtherSites(request, parts.publicUrl())
    const user = await sessions.find(request)
    if (user === null) throw new ApiError('not_signed_in')
    await removeSessionsOfUser(parts.db, user.companyId, user.id)
    await sessions.end(request, reply)
    return reply.code(204).send()
  })
}

/** Takes as long for an address that nobody has. */
async function findVerified(db: Pool, email: string, password: string): Promise<SignInUser[]> {
  const users = await findUsersByEmail(db, email)
  if (users.length === 0) await verifyPassword(password, DUMMY_HASH)
  const verified = await Promise.all(users.map((user) => verifyPassword(password, user.passwordHash)))
  const right = users.filter((_user, i) => verified[i] === true)
  // What was imported may have two of one address in one company: they cannot be told apart, so the first is taken.
  return right.filter((user, i) => right.findIndex(({ companyId }) => companyId === user.companyId) === i)
}

function wrong(): ApiError {
  return new ApiError('not_signed_in', { message: 'The e-mail address or the password is not right.' })
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
}: SignedInUser): Session {
  return { user: { id, name, email, role }, company: { id: companyId, name: companyName, plan, currency } }
}
