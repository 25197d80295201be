/** The error shapes for the documentation. */
import { z } from 'zod'
import { ERROR_CODES } from '../core/requests/errors.ts'
import { openEnum } from '../codec/schemas.ts'
import type { ErrorShape } from '../http/error-bodies.ts'

const ERROR_TYPES = [
  'api_error',
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'conflict_error',
  'rate_limit_error',
  'idempotency_error',
] as const

/** Task creation has its own shape, without a code. */
const STRUCTURED_CODES = ERROR_CODES.filter((code) => code !== 'invalid_body')

export const ErrorSchemas: Record<ErrorShape, z.ZodObject> = {
  structured: z
    .strictObject({
      error: z.strictObject({
        type: openEnum(ERROR_TYPES, 'Class of the error.'),
        code: openEnum(STRUCTURED_CODES, 'Error code for programs.'),
        message: z.string().meta({ description: 'The problem and how to solve it, for people.' }),
        param: z.string().optional().meta({ description: 'The invalid parameter, if there is one.' }),
      }),
    })
    .meta({ id: 'Error', description: 'An error of the quote, resource and staff endpoints.' }),
  error: z
    .strictObject({
      error: z.string().meta({ description: 'The problem and how to solve it.' }),
      details: z
        .record(z.string(), z.strictObject({ _errors: z.array(z.string()) }))
        .optional()
        .meta({
          description: 'Messages by field, with a 400. The field is `body` if the body is not a JSON object.',
        }),
    })
    .meta({ id: 'ErrorText', description: 'An error of task creation.' }),
  message: z
    .strictObject({ message: z.string().meta({ description: 'The problem and how to solve it.' }) })
    .meta({ id: 'ErrorMessage', description: 'An error of the form response and invoice endpoints.' }),
}
