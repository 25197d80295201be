/** Links for the setup, an invitation or a password reset, and their requests. */
import type { Pool } from 'pg'
import { hashLinkToken, newLinkToken } from '../../src/core/security/link-token.ts'
import { createSetupLink } from '../../src/records/setup-link/queries.ts'
import type { ConsoleRequest } from './console-requests.ts'
import { callConsole } from './console.ts'
import type { SignedIn } from './console.ts'
import type { Answer, TestServer } from './server.ts'

/** Creates a setup link like `quoting serve`, and returns its token. */
export async function plantSetupLink(pool: Pool): Promise<string> {
  const token = newLinkToken()
  await createSetupLink(pool, hashLinkToken(token))
  return token
}

export const SETUP = {
  company: {
    name: 'Quay Street',
    country: 'PT',
    currency: 'EUR',
    timeZone: 'Europe/Lisbon',
    locale: 'pt-PT',
  },
  user: { name: 'Ada Noor', email: 'ada@example.com', password: 'a new password' },
}

/** Sends a form of a link page, without a session. */
export const postLink = (server: TestServer, kind: string, body: object): Promise<Answer> =>
  callConsole(server, '', 'POST', `links/${kind}`, body)

/** A client with the session cookie of this response. */
export function browserOf(server: TestServer, answer: Answer): SignedIn {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
  return { cookie, call: (method, path, body) => callConsole(server, cookie, method, path, body) }
}

/** The token in the URL of a response. */
export const tokenIn = (answer: Answer) => (answer.body as { url: string }).url.split('/').at(-1) ?? ''

const token = `${'a'.repeat(43)}.Yw`

/** The requests of link pages, which need no session */
export const LINK_REQUESTS: Record<string, ConsoleRequest> = {
  'POST /console/links/open': { body: { kind: 'invite', token } },
  'POST /console/links/setup': { body: { token, ...SETUP } },
  'POST /console/links/invite': { body: { token, name: 'Nadia Roy', password: 'a new password' } },
  'POST /console/links/reset': { body: { token, password: 'a new password' } },
  'POST /console/links/forgot': { body: { email: 'ada@example.com' } },
}
