/**
 * Tokens that open an invoice: company and invoice id under authenticated encryption. The IV is derived from the content, as
 * in SIV, so the same invoice always has the same token.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const IV_BYTES = 16

/** Cached tokens: clients poll the same lists, and each token takes 10 µs. */
const SEALED_MAX = 10_000

interface InvoiceRef {
  companyId: string
  invoiceId: string
}

export interface InvoiceTokens {
  seal: (invoice: InvoiceRef) => string
  /** Null for anything that was not sealed with one of the secrets. */
  open: (token: string) => InvoiceRef | null
}

/** Seals with the first secret and opens with any, so that links keep working after a secret is replaced. */
export function createInvoiceTokens(secret: string, ...previous: string[]): InvoiceTokens {
  const current = tokensOf(secret)
  const all = [current, ...previous.map(tokensOf)]
  const sealed = new Map<string, string>()
  return {
    seal: (invoice) => {
      const key = JSON.stringify([invoice.companyId, invoice.invoiceId])
      const known = sealed.get(key)
      if (known !== undefined) return known
      const token = current.seal(invoice)
      if (sealed.size >= SEALED_MAX) sealed.clear()
      sealed.set(key, token)
      return token
    },
    open: (token) => {
      for (const { open } of all) {
        const invoice = open(token)
        if (invoice !== null) return invoice
      }
      return null
    },
  }
}

function tokensOf(secret: string): InvoiceTokens {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', 'event-quoting-service invoice token', 64))
  const [macKey, cipherKey] = [keys.subarray(0, 32), keys.subarray(32)]
  const ivOf = (content: Buffer) =>
    createHmac('sha256', macKey).update(content).digest().subarray(0, IV_BYTES)
  return {
    seal: ({ companyId, invoiceId }) => {
      const content = Buffer.from(JSON.stringify([companyId, invoiceId]))
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
      const [companyId, invoiceId] = JSON.parse(content.toString()) as [string, string]
      return { companyId, invoiceId }
    },
  }
}
