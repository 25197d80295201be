/** Input that many actions share. */
import { z } from 'zod'

/** The record that an action changes. */
export const Target = z.strictObject({ id: z.string() })

/** A session to begin. */
export const NewSession = z.strictObject({
  tokenHash: z.string(),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
})
