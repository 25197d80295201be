/**
 * Signing secrets of webhook endpoints: how they look, how they are stored (AES-256-GCM, with a key derived from the
 * application secret, bound to their endpoint), and signatures (Standard Webhooks 1.0).
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** The endpoint that a secret belongs to. A sealed secret does not open for any other. */
interface SecretOwner {
  companyId: string
  endpointId: string
}

export interface WebhookSecrets {
  seal: (owner: SecretOwner, secret: Buffer) => string
  /** Null if none of the application secrets sealed it. */
  open: (owner: SecretOwner, sealed: string) => Buffer | null
  /** Sealed with the current application secret; null if it already is, or does not open. */
  reseal: (owner: SecretOwner, sealed: string) => string | null
}

/** Seals with the first application secret and opens with any. */
export function createWebhookSecrets(appSecret: string, ...previous: readonly string[]): WebhookSecrets {
  const current = keyOf(appSecret)
  const keys = [current, ...previous.map(keyOf)]
  const open: WebhookSecrets['open'] = (owner, sealed) => {
    for (const key of keys) {
      const secret = openWith(key, owner, sealed)
      if (secret !== null) return secret
    }
    return null
  }
  const seal: WebhookSecrets['seal'] = (owner, secret) => sealWith(current, owner, secret)
  return {
    seal,
    open,
    reseal: (owner, sealed) => {
      if (openWith(current, owner, sealed) !== null) return null
      const secret = open(owner, sealed)
      return secret === null ? null : seal(owner, secret)
    },
  }
}

function keyOf(appSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', appSecret, '', 'event-quoting-service webhook secret', 32))
}

const boundTo = ({ companyId, endpointId }: SecretOwner) =>
  Buffer.from(JSON.stringify([companyId, endpointId]))

function sealWith(key: Buffer, owner: SecretOwner, secret: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo(owner))
  const content = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([iv, content, cipher.getAuthTag()]).toString('base64url')
}

function openWith(key: Buffer, owner: SecretOwner, sealed: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length !== IV_BYTES + SECRET_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(boundTo(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** As receivers configure it. */
export function showSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`
}

/** The value of `webhook-signature`: one signature per secret. */
export function signWebhook(
  secrets: readonly Buffer[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
    .join(' ')
}
