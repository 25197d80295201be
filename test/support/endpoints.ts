/** Endpoints for tests of common behavior, for each error shape. */
import { z } from 'zod'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { readParameters } from '../../src/api/parameters.ts'
import type { ErrorShape } from '../../src/http/error-bodies.ts'

const Query = z.object({ size: z.string().regex(/^\d+$/, 'size must be digits').optional() })

export function testEndpoint(shape: ErrorShape, overrides: Partial<Endpoint> = {}): Endpoint {
  return {
    operation: 'getStaff',
    method: 'GET',
    path: `/api/test-${shape}/:id`,
    errorShape: shape,
    tag: 'Test',
    summary: 'Test',
    description: 'For tests.',
    query: Query,
    response: z.strictObject({ id: z.string() }),
    status: 200,
    example: { answer: { id: '1' } },
    errors: {},
    answer: async ({ id, query }) => {
      readParameters(Query, query, () => undefined)
      return { body: { id } }
    },
    ...overrides,
  }
}

export const SHAPES = ['structured', 'error', 'message'] as const

/** For each shape, a GET with an id and a POST without one: `/api/test-error/1`, `/api/test-error-post`. */
export const TEST_ENDPOINTS: readonly Endpoint[] = SHAPES.flatMap((shape) => [
  testEndpoint(shape),
  testEndpoint(shape, { method: 'POST', path: `/api/test-${shape}-post` }),
])
