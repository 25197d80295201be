/** The idempotency-key header of writes, and the header of a replayed response. */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { IdempotencyKey } from '../actions/idempotency.ts'
import { ApiError } from '../core/requests/errors.ts'

export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'idempotency-key must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({
      description:
        'Makes retries safe for 24 hours. A second request with the same key and body returns the first response again, with `idempotent-replayed: true`, and does not write a second time.',
      example: 'loading-dock-0246',
    }),
})

export const IDEMPOTENT_REPLAY = { 'idempotent-replayed': 'true' }

/** As OpenAPI describes it. */
export const REPLAY_HEADER = {
  'idempotent-replayed': {
    description: '`true` if this is the response to an earlier request with the same idempotency key.',
    schema: { type: 'string', const: 'true' },
  },
}

/** `scope` separates the keys of different endpoints. It is empty for the oldest one, whose keys are stored without. */
export function idempotencyKey(
  key: string | undefined,
  rawBody: Buffer | undefined,
  scope: string,
): IdempotencyKey | null {
  if (key === undefined) return null
  const bodyHash = createHash('sha256')
    .update(rawBody ?? '')
    .digest('hex')
  return { key: scope === '' ? key : `${scope} ${key}`, bodyHash }
}

interface Request {
  headers: IncomingHttpHeaders
  rawBody: Buffer | undefined
}

/** `target` is what the request writes to: keys of different targets are different keys. */
export function readIdempotencyKey({ headers, rawBody }: Request, target: string): IdempotencyKey | null {
  const parsed = IdempotencyHeaders.safeParse(headers)
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'idempotency-key is invalid'
    throw new ApiError('invalid_parameter', { message, param: 'idempotency-key' })
  }
  const scope = createHash('sha256').update(target).digest('base64url')
  return idempotencyKey(parsed.data['idempotency-key'], rawBody, scope)
}
