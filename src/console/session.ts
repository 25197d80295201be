/** Sessions of the application: the cookie and its user. */
import { parse, serialize } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DbPool } from '../db/statement.ts'
import { ApiError } from '../core/requests/errors.ts'
import { withCompanyTag } from '../core/security/company-tag.ts'
import { createSealedTokens } from '../core/security/sealed-token.ts'
import { createSessionCookies, hashSessionToken, newSessionToken } from '../core/security/session-cookie.ts'
import { findSignedInUser, removeExpiredSessions, removeSession } from '../records/session/queries.ts'
import type { NewSession, SignedInUser } from '../records/session/queries.ts'

const MAX_AGE_SECONDS = 7 * 86_400
/** Browsers send about 120 characters. */
const USER_AGENT_MAX = 400

export interface Sessions {
  /** Whether the request has a session cookie. The session may have ended. */
  isPossible: (request: FastifyRequest) => boolean
  /** Null if no user is signed in. */
  find: (request: FastifyRequest) => Promise<SignedInUser | null>
  /** Whether a user of the company is signed in, also if a link on another site was followed. It gives access to nothing. */
  isUserOf: (request: FastifyRequest, companyId: string) => Promise<boolean>
  /** Null without a session cookie. */
  tokenHashOf: (request: FastifyRequest) => string | null
  /** Replaces the session of the browser, if any. `store` writes the new one, and returns false if it must not begin. */
  begin: (
    request: FastifyRequest,
    reply: FastifyReply,
    companyId: string,
    store: (session: NewSession) => Promise<boolean>,
  ) => Promise<boolean>
  end: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

export interface SessionParts {
  db: DbPool
  appSecrets: readonly [string, ...string[]]
  publicUrl: () => string
  /** LINKS_NAME_COMPANY. */
  linksNameCompany: boolean
  addressOf: (request: FastifyRequest) => string | null
}

export function createSessions(parts: SessionParts): Sessions {
  const { db, appSecrets, publicUrl, linksNameCompany, addressOf } = parts
  const cookies = createSessionCookies(appSecrets)
  const companies = createSealedTokens('company cookie', ...appSecrets)
  const setCookies = (reply: FastifyReply, session: string, company: string, maxAge: number) => {
    const { name, companyName, path, secure } = cookieFacts(publicUrl())
    const attributes = { path, maxAge, httpOnly: true, secure } as const
    void reply.header('set-cookie', [
      serialize(name, session, { ...attributes, sameSite: 'strict' }),
      serialize(companyName, company, { ...attributes, sameSite: 'lax' }),
    ])
  }
  const find = async (request: FastifyRequest) => {
    const session = read(request)
    return session === null ? null : findSignedInUser(db, session.companyId, session.tokenHash)
  }
  const read = (request: FastifyRequest) => {
    const value = parse(request.headers.cookie ?? '')[cookieFacts(publicUrl()).name]
    const session = value === undefined ? null : cookies.open(value)
    return session === null ? null : { ...session, tokenHash: hashSessionToken(session.token) }
  }
  const forget = async (request: FastifyRequest) => {
    const session = read(request)
    if (session !== null) await removeSession(db, session.companyId, session.tokenHash)
  }
  return {
    isPossible: (request) => read(request) !== null,
    find,
    isUserOf: async (request, companyId) => {
      const value = parse(request.headers.cookie ?? '')[cookieFacts(publicUrl()).companyName] ?? ''
      return companies.open(value)?.[0] === companyId || (await find(request))?.companyId === companyId
    },
    tokenHashOf: (request) => read(request)?.tokenHash ?? null,
    begin: async (request, reply, companyId, store) => {
      await removeExpiredSessions(db, companyId)
      const token = newSessionToken()
      const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null
      const session = { tokenHash: hashSessionToken(token), userAgent, address: addressOf(request) }
      if (!(await store(session))) return false
      await forget(request)
      const sealed = cookies.seal({ companyId, token })
      const value = linksNameCompany ? withCompanyTag(sealed, companyId) : sealed
      setCookies(reply, value, companies.seal([companyId]), MAX_AGE_SECONDS)
      return true
    },
    end: async (request, reply) => {
      await forget(request)
      if (request.headers.cookie !== undefined) setCookies(reply, '', '', 0)
    },
  }
}

/** With the prefix a browser takes the cookie only over TLS, from this host, for all of it. */
function cookieFacts(publicUrl: string) {
  const { protocol, pathname } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const prefix = secure && pathname === '/' ? '__Host-' : ''
  return { name: `${prefix}eqs_session`, companyName: `${prefix}eqs_company`, path: pathname, secure }
}

/**
 * Only the application's own pages may make calls. Browsers send the cookie only with requests from the same site (SameSite),
 * and name the origin of a request. Other programs do not have the cookie.
 */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const isOurs =
    origin === undefined ||
    origin === new URL(publicUrl).origin ||
    origin.replace(/^https?:\/\//, '') === host
  const isSame = site === undefined || site === 'same-origin' || site === 'none'
  if (isOurs && isSame) return
  throw new ApiError('forbidden', { message: 'Requests from other sites are not allowed.' })
}
