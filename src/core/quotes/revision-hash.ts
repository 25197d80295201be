/** The hash that identifies the content of a revision: SHA-256 of its bytes, in hexadecimal. */
import { createHash } from 'node:crypto'

export function hashRevision(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex')
}
