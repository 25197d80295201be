/**
 * The content of messages with a link that lets a person in: stored with AES-256-GCM, with a key derived from the application
 * secret, bound to its message.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

/** The message that the content belongs to. It does not open for any other. */
interface MailRef {
  companyId: string
  mailId: string
}

export interface MailSeal {
  seal: (mail: MailRef, content: string) => string
  /** Null if none of the application secrets sealed it. */
  open: (mail: MailRef, sealed: string) => string | null
}

/** Seals with the first application secret and opens with any. */
export function createMailSeal(appSecrets: readonly [string, ...string[]]): MailSeal {
  const [current, ...previous] = appSecrets
  const key = keyOf(current)
  const keys = [key, ...previous.map(keyOf)]
  return {
    seal: (mail, content) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo(mail))
      const sealed = Buffer.concat([cipher.update(content), cipher.final()])
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open: (mail, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      for (const candidate of keys) {
        const content = openWith(candidate, mail, bytes)
        if (content !== null) return content
      }
      return null
    },
  }
}

function keyOf(appSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', appSecret, '', 'event-quoting-service mail content', 32))
}

const boundTo = ({ companyId, mailId }: MailRef) => Buffer.from(JSON.stringify([companyId, mailId]))

function openWith(key: Buffer, mail: MailRef, bytes: Buffer): string | null {
  if (bytes.length < IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(boundTo(mail)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const content = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]
    return Buffer.concat(content).toString()
  } catch {
    return null
  }
}
