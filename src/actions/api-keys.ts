/** Creates and revokes API keys. */
import { z } from 'zod'
import { ADMINS } from '../core/callers.ts'
import { isStorableText } from '../core/ids.ts'
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../core/security/api-key.ts'
import { ApiError } from '../core/requests/errors.ts'
import { createApiKey as insertKey, revokeApiKey as revoke } from '../records/api-key/queries.ts'
import { defineAction } from './action.ts'
import { Target } from './targets.ts'

export const NewApiKey = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'Use at most 100 characters.')
    .refine(isStorableText, 'The name contains an invalid character.'),
})

/** Returns the key itself, which is stored only as a hash. */
export const createApiKey = defineAction({
  name: 'createApiKey',
  allowed: ADMINS,
  input: NewApiKey,
  lock: 'last',
  run: async ({ db, companyId, audit }, { name }) => {
    const key = generateApiKey()
    const id = await insertKey(db, companyId, { name, keyHash: hashApiKey(key), prefix: apiKeyPrefix(key) })
    if (id === null) throw new ApiError('not_found', { message: `there is no company ${companyId}` })
    audit({ type: 'api_key.created', subject: { object: 'apiKey', id, name } })
    return { id, key }
  },
})

/** A key that is already revoked keeps the time. */
export const revokeApiKey = defineAction({
  name: 'revokeApiKey',
  allowed: ADMINS,
  input: Target,
  lock: 'first',
  run: async ({ db, companyId, audit }, { id }) => {
    const revoked = await revoke(db, companyId, id)
    if (revoked === null) throw new ApiError('not_found', { message: 'API key not found.' })
    if (revoked.isNew)
      audit({ type: 'api_key.revoked', subject: { object: 'apiKey', id, name: revoked.name } })
  },
})
