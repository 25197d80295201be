/** The parameters of an endpoint in the OpenAPI document. */
import type { z } from 'zod'
import { PATHS_MAX } from '../core/requests/expand-paths.ts'
import type { Endpoint } from './endpoint.ts'
import { isRequired } from './parameters.ts'
import { parameterSchema } from './schemas.ts'

export function pathParameters({ path, idOf, example: { id: example } }: Endpoint): object[] {
  const name = /:(\w+)/.exec(path)?.[1]
  if (name === undefined) return []
  return [
    {
      name,
      in: 'path',
      required: true,
      description: `Id of the ${idOf}.`,
      schema: { type: 'string' },
      example,
    },
  ]
}

export function queryParameters({ query, expand }: Endpoint): object[] {
  const parameters = Object.entries(query.shape).map(([name, schema]) => parameter('query', name, schema))
  if (expand === undefined) return parameters
  const paths = expand.paths.map((path) => expand.prefix + path)
  const schema = {
    type: 'array',
    items: { type: 'string', enum: paths },
    uniqueItems: true,
    maxItems: PATHS_MAX,
  }
  const description = 'Related objects to include. Repeat the parameter, or join paths with commas.'
  return [
    ...parameters,
    {
      name: 'expand[]',
      in: 'query',
      description,
      schema,
      style: 'form',
      explode: true,
      example: paths.slice(0, 1),
    },
  ]
}

export function headerParameters({ headers }: Endpoint): object[] {
  return Object.entries(headers?.shape ?? {}).map(([name, schema]) =>
    parameter('header', name, schema as z.ZodType),
  )
}

function parameter(place: 'query' | 'header', name: string, schema: z.ZodType): object {
  const { description, example } = schema.meta() ?? {}
  return {
    name,
    in: place,
    ...(isRequired(schema) && { required: true }),
    description,
    schema: parameterSchema(schema),
    ...(example !== undefined && { example }),
  }
}
