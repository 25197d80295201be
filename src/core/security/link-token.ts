/**
 * Links that let a person in without a password: setup, invitations and password resets. A link holds 256 random bits, and the
 * database only their hash. Links of a company also name it, so that the lookup is within the company.
 */
import { createHash, randomBytes } from 'node:crypto'
import { isPossibleId } from '../ids.ts'
import { withCompanyTag } from './company-tag.ts'

const TOKEN = /^[\w-]{43}$/

export interface LinkRef {
  companyId: string
  tokenHash: string
}

export function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The last part of the link's path. */
export function companyLink(companyId: string, token: string): string {
  return withCompanyTag(token, companyId)
}

/** Null if no link looks like this. */
export function parseCompanyLink(text: string): LinkRef | null {
  const [token = '', encoded = '', ...rest] = text.split('.')
  const companyId = Buffer.from(encoded, 'base64url').toString()
  if (rest.length > 0 || !TOKEN.test(token) || !isPossibleId(companyId)) return null
  // Only the canonical spelling: base64 decoding ignores unknown characters.
  return companyLink(companyId, token) === text ? { companyId, tokenHash: hashLinkToken(token) } : null
}
