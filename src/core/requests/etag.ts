/** Entity tags and `if-none-match` (RFC 9110, 8.8.3 and 13.1.2). */
import { createHash } from 'node:crypto'

/** Weak: a body and its compressed forms are the same content, and share it. */
export function weakEtag(content: Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Whether the client has this content already, so that it gets a 304. */
export function isKnownEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.match(/"[^"]*"/g)?.some((known) => known === opaque) === true
}
