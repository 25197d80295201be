/** The application's calls, as a browser that is signed in makes them. */
import {
  createSessionCookies,
  hashSessionToken,
  newSessionToken,
} from '../../src/core/security/session-cookie.ts'
import type { Role } from '../../src/core/enumerations.ts'
import type { TestDatabase } from './database.ts'
import { APP_SECRET } from './server.ts'
import type { Answer, TestServer } from './server.ts'

export const PASSWORD = 'a password for tests'
/** The lowest cost that is accepted, so that tests sign in quickly. */
const PASSWORD_HASH =
  '$scrypt$ln=14,r=8,p=1$c2FsdCBvZiB0aGUgdGVzdA$yANg4aUpb6vHMIl/Dz0ndnNCRptRAvwzdBO6CmM7zaY'

export const emailOf = (role: Role, companyId: string) => `${role.toLowerCase()}@${companyId}.example`

/** Creates a user of the company if it does not exist. */
export async function plantUser(
  { pool }: TestDatabase,
  companyId: string,
  role: Role = 'ADMIN',
): Promise<void> {
  await pool.query(
    `INSERT INTO users (company_id, id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (company_id, id) DO NOTHING`,
    [companyId, `user_${role}`, emailOf(role, companyId), `The ${role}`, role, PASSWORD_HASH],
  )
}

export interface SignedIn {
  cookie: string
  /** `path` is below /console: `quotes?state=sent`. */
  call: (method: string, path: string, body?: object) => Promise<Answer>
}

/** Signs a user in. The audit log has an entry of it. */
export async function signInWithPassword(
  server: TestServer,
  database: TestDatabase,
  companyId: string,
  role: Role = 'ADMIN',
): Promise<SignedIn> {
  await plantUser(database, companyId, role)
  const answer = await server.call('/console/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf(role, companyId), password: PASSWORD, companyId }),
  })
  if (answer.status !== 204) throw new Error(`signing in was answered ${answer.status}: ${answer.text}`)
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
  return withCookie(server, cookie)
}

/** A user of the company with a session, without the 50 ms of comparing a password. */
export async function signedIn(
  server: TestServer,
  database: TestDatabase,
  companyId: string,
  role: Role = 'ADMIN',
): Promise<SignedIn> {
  await plantUser(database, companyId, role)
  const cookie = `eqs_session=${await plantSession(database, companyId, role)}`
  return withCookie(server, cookie)
}

const { seal } = createSessionCookies([APP_SECRET])

/** The value of the cookie. */
export async function plantSession({ pool }: TestDatabase, companyId: string, role: Role): Promise<string> {
  const token = newSessionToken()
  await pool.query(
    `INSERT INTO sessions (company_id, user_id, token_hash, expires_at, password_digest)
     SELECT company_id, id, $3, now() + interval '1 day', encode(sha256(convert_to(password_hash, 'UTF8')), 'hex')
     FROM users WHERE company_id = $1 AND id = $2`,
    [companyId, `user_${role}`, hashSessionToken(token)],
  )
  return seal({ companyId, token })
}

const withCookie = (server: TestServer, cookie: string): SignedIn => ({
  cookie,
  call: (method, path, body) => callConsole(server, cookie, method, path, body),
})

export function callConsole(
  server: TestServer,
  cookie: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return server.call(`/console/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
