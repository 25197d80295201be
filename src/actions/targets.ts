/** The record that an action changes. */
import { z } from 'zod'

export const Target = z.strictObject({ id: z.string() })
