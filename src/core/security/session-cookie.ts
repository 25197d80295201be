/**
 * The session cookie: company and token under authenticated encryption, so the browser can neither read nor change it. The
 * database stores only the token's hash.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { splitCompanyTag } from './company-tag.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

interface SessionRef {
  companyId: string
  token: string
}

export interface SessionCookies {
  seal: (session: SessionRef) => string
  /** Null for anything that was not sealed with one of the secrets. */
  open: (value: string) => SessionRef | null
}

/** Seals with the first secret and opens with any, so that sessions survive the replacement of a secret. */
export function createSessionCookies(secrets: readonly [string, ...string[]]): SessionCookies {
  const keys = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'event-quoting-service session cookie', 32)),
  )
  return {
    seal: ({ companyId, token }) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, keys[0] ?? '', iv)
      const sealed = Buffer.concat([cipher.update(JSON.stringify([companyId, token])), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open: (value) => {
      const bytes = Buffer.from(splitCompanyTag(value).sealed, 'base64url')
      for (const key of keys) {
        const session = openWith(key, bytes)
        if (session !== null) return session
      }
      return null
    },
  }
}

function openWith(key: Buffer, bytes: Buffer): SessionRef | null {
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    const [companyId, token] = JSON.parse(text.toString()) as [string, string]
    return { companyId, token }
  } catch {
    return null
  }
}

/** A random token, new for every sign-in. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
