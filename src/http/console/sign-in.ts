/** Signing in to the application, and out again. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Plan, Role } from '../../core/enumerations.ts'
import { ApiError } from '../../core/errors.ts'
import { DUMMY_HASH, verifyPassword } from '../../core/password.ts'
import { removeSessionsOfUser } from '../../db/sessions.ts'
import type { SignedInUser } from '../../db/sessions.ts'
import { countTry, forgetFailures } from '../../db/sign-in-failures.ts'
import { findUsersByEmail } from '../../db/users.ts'
import type { SignInUser } from '../../db/users.ts'
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

/** Guesses from one place at one account, at one account from anywhere, and from one place at any account. */
const FREE = { pair: 5, account: 50, address: 50 }

export function registerSignIn(app: FastifyInstance, parts: ConsoleParts, sessions: Sessions): void {
  app.post('/console/session', async (request, reply) => {
    refuseOtherSites(request, parts.publicUrl())
    const { email, password, companyId } = readInput(SignIn, request)
    const subjects = subjectsOf(email, parts.addressOf(request))
    const waitSeconds = await countTry(parts.db, Object.values(subjects))
    if (waitSeconds > 0) throw tooMany(waitSeconds)
    const found = await findVerified(parts.db, email, password)
    const users = companyId === undefined ? found : found.filter((user) => user.companyId === companyId)
    const [user, ...others] = users
    if (user === undefined) throw wrong()
    // What was tried from this address at other accounts stays counted.
    await forgetFailures(parts.db, [subjects.pair, subjects.account])
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
  return users.filter((_user, i) => verified[i] === true)
}

function subject(kind: keyof typeof FREE, text: string) {
  return { hash: createHash('sha256').update(`${kind}\0${text}`).digest('hex'), free: FREE[kind] }
}

function subjectsOf(email: string, address: string | null) {
  const account = email.toLowerCase()
  const place = address ?? 'unknown'
  return {
    pair: subject('pair', `${account}\0${place}`),
    account: subject('account', account),
    address: subject('address', place),
  }
}

function wrong(): ApiError {
  return new ApiError('not_signed_in', { message: 'The e-mail address or the password is not right.' })
}

function tooMany(seconds: number): ApiError {
  const wait = seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return new ApiError('too_many_attempts', {
    message: `Too many failed attempts to sign in. Try again in ${wait}.`,
    headers: { 'retry-after': String(seconds) },
  })
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
