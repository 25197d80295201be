/**
 * Stamps of form pages: an id, and when the page was rendered, with a signature. So a page
 * that is sent twice has the same id, and a client can neither choose an id nor pretend to have taken its time.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

interface Stamp {
  pageId: string
  /** In milliseconds. */
  renderedAt: number
}

export interface FormStamps {
  /** `page` names the form, and the booking if it is for one. */
  seal: (page: readonly string[], stamp: Stamp) => string
  /** Null for anything that was not sealed for this page with one of the secrets. */
  open: (page: readonly string[], text: string) => Stamp | null
}

const STAMP = /^([\w-]{1,100})\.(\d{1,15})\.([\w-]{43})$/

/** Seals with the first secret and opens with any. */
export function createFormStamps(secret: string, ...previous: readonly string[]): FormStamps {
  const current = keyOf(secret)
  const keys = [current, ...previous.map(keyOf)]
  return {
    seal: (page, { pageId, renderedAt }) =>
      `${pageId}.${renderedAt}.${macOf(current, page, pageId, renderedAt).toString('base64url')}`,
    open: (page, text) => {
      const [, pageId = '', time = '', mac = ''] = STAMP.exec(text) ?? []
      if (mac === '') return null
      const renderedAt = Number(time)
      const sent = Buffer.from(mac, 'base64url')
      const isOurs = keys.some((key) => timingSafeEqual(macOf(key, page, pageId, renderedAt), sent))
      return isOurs ? { pageId, renderedAt } : null
    },
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'event-quoting-service form stamp', 32))
}

function macOf(key: Buffer, page: readonly string[], pageId: string, renderedAt: number): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([page, pageId, renderedAt]))
    .digest()
}
