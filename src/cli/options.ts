import type { z } from 'zod'

/** The value of an option as the action stores it. Checked before a command asks for a password. */
export function readOption<Value>(option: string, schema: z.ZodType<Value>, text: string): Value {
  const { data, error } = schema.safeParse(text)
  if (error !== undefined) throw new Error(`${option} ${JSON.stringify(text)}: ${error.issues[0]?.message}`)
  return data
}
