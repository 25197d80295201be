/** The three shapes of an error body. Newer endpoints have the structured one; each older endpoint keeps its own. */
import type { ApiError } from '../core/requests/errors.ts'

export type ErrorShape = 'structured' | 'error' | 'message'

const BODIES: Record<ErrorShape, (error: ApiError) => object> = {
  structured: ({ type, code, message, param, details }) => ({
    error: {
      type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      // Only console calls return details in this shape.
      ...(details === undefined ? {} : { details }),
    },
  }),
  error: ({ message, details }) => (details === undefined ? { error: message } : { error: message, details }),
  message: ({ message }) => ({ message }),
}

export function errorBody(shape: ErrorShape, error: ApiError): string {
  return JSON.stringify(BODIES[shape](error))
}
