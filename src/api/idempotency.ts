/** The idempotency-key header of writes, and the header of a replayed response. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { IdempotencyKey } from '../actions/idempotency.ts'

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
