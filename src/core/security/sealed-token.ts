/**
 * Tokens that open a page without further authentication: a few texts under authenticated encryption. The IV is derived from the
 * content, as in SIV, so the same content always has the same token.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { companyTag, splitCompanyTag } from './company-tag.ts'

const IV_BYTES = 16

/** Cached tokens: clients poll the same lists, and each token takes 10 µs. */
const SEALED_MAX = 10_000

type Parts = readonly (string | number)[]

export interface SealedTokens {
  seal: (parts: Parts) => string
  /** Null for anything that was not sealed for this purpose with one of the secrets. A company tag must be that of the first part. */
  open: (token: string) => Parts | null
}

/** Seals with the first secret and opens with any, so that links keep working after a secret is replaced. */
export function createSealedTokens(purpose: string, secret: string, ...previous: string[]): SealedTokens {
  const current = tokensOf(purpose, secret)
  const all = [current, ...previous.map((old) => tokensOf(purpose, old))]
  const sealed = new Map<string, string>()
  return {
    seal: (parts) => {
      const key = JSON.stringify(parts)
      const known = sealed.get(key)
      if (known !== undefined) return known
      const token = current.seal(parts)
      if (sealed.size >= SEALED_MAX) sealed.clear()
      sealed.set(key, token)
      return token
    },
    open: (token) => {
      const { sealed: text, tag } = splitCompanyTag(token)
      for (const { open } of all) {
        const parts = open(text)
        if (parts !== null) return tag === null || tag === companyTag(String(parts[0])) ? parts : null
      }
      return null
    },
  }
}

function tokensOf(purpose: string, secret: string): SealedTokens {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', `event-quoting-service ${purpose} token`, 64))
  const [macKey, cipherKey] = [keys.subarray(0, 32), keys.subarray(32)]
  const ivOf = (content: Buffer) =>
    createHmac('sha256', macKey).update(content).digest().subarray(0, IV_BYTES)
  return {
    seal: (parts) => {
      const content = Buffer.from(JSON.stringify(parts))
      const iv = ivOf(content)
      const cipher = createCipheriv('aes-256-ctr', cipherKey, iv)
      return Buffer.concat([iv, cipher.update(content), cipher.final()]).toString('base64url')
    },
    open: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      // Only the canonical spelling: base64 decoding ignores unknown characters.
      if (bytes.length <= IV_BYTES || bytes.toString('base64url') !== token) return null
      const iv = bytes.subarray(0, IV_BYTES)
      const decipher = createDecipheriv('aes-256-ctr', cipherKey, iv)
      const content = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()])
      if (!timingSafeEqual(ivOf(content), iv)) return null
      return JSON.parse(content.toString()) as Parts
    },
  }
}
