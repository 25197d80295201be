/** Field types that public objects share. */
import { z } from 'zod'

export const id = (what: string) => z.string().meta({ description: `Id of the ${what}.` })

export const timestamp = (description: string) =>
  z.string().meta({ format: 'date-time', description: `${description} UTC, with milliseconds.` })
