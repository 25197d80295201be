/** Ids of requests: on every response, and in the log. */
import { randomUUID } from 'node:crypto'
import { holdsApiKey, isPossibleApiKey } from '../core/security/api-key.ts'

type Headers = Record<string, string | string[] | undefined>

/** Reuses the caller's id if it is valid and does not contain the API key: it goes to the log. */
export function requestIdOf({ headers }: { headers: Headers }): string {
  const given = headers['x-request-id']
  if (typeof given !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(given) || holdsApiKey(given))
    return newRequestId()
  const key = headers['x-api-key']
  return typeof key === 'string' && isPossibleApiKey(key) && given.includes(key) ? newRequestId() : given
}

/** Random: nothing sorts by it. */
export function newRequestId(): string {
  return `req_${randomUUID()}`
}
