/** The error shapes as the documentation shows them. */
import { z } from 'zod'
import { ERROR_CODES } from '../core/errors.ts'
import type { ErrorShape } from './error-bodies.ts'

/** Those of task creation come in its own shape only. */
const STRUCTURED_CODES = ERROR_CODES.filter(
  (code) => code !== 'invalid_body' && code !== 'idempotency_key_reused',
)

export const ErrorSchemas: Record<ErrorShape, z.ZodObject> = {
  structured: z
    .strictObject({
      error: z.strictObject({
        type: z.enum([
          'api_error',
          'invalid_request_error',
          'authentication_error',
          'permission_error',
          'rate_limit_error',
          'idempotency_error',
        ]),
        code: z.enum(STRUCTURED_CODES).meta({ description: 'For programs.' }),
        message: z.string().meta({ description: 'For people: what is wrong and what to do.' }),
        param: z.string().optional().meta({ description: 'The offending parameter, where there is one.' }),
      }),
    })
    .meta({ id: 'Error', description: 'An error of the newer endpoints.' }),
  error: z
    .strictObject({
      error: z.string().meta({ description: 'What is wrong and what to do.' }),
      details: z
        .record(z.string(), z.strictObject({ _errors: z.array(z.string()) }))
        .optional()
        .meta({ description: 'With a 400: messages by field; `body` for a body that is no JSON object.' }),
    })
    .meta({ id: 'ErrorText', description: 'An error of task creation.' }),
  message: z
    .strictObject({ message: z.string().meta({ description: 'What is wrong and what to do.' }) })
    .meta({ id: 'ErrorMessage', description: 'An error of the form response and invoice reads.' }),
}
