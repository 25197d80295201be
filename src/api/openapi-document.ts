/** The parts of an OpenAPI document that the reference page and the Postman collection use. */

export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** By path and by method in lower case. */
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, OpenApiSchema> }
}

interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: OpenApiParameter[]
  requestBody?: { content: OpenApiContent }
  /** By status. */
  responses: Record<string, { description: string; content: OpenApiContent }>
}

type OpenApiContent = Record<'application/json', { schema: OpenApiSchema; example: object }>

export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  schema: OpenApiSchema
  example?: string | number | string[]
}

type Scalar = string | number | boolean

export interface OpenApiSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  const?: unknown
  default?: Scalar
  enum?: (Scalar | null)[]
  minimum?: number
  maximum?: number
  items?: OpenApiSchema
  anyOf?: OpenApiSchema[]
  allOf?: OpenApiSchema[]
  properties?: Record<string, OpenApiSchema>
  required?: string[]
  additionalProperties?: OpenApiSchema
}

/** A method and a path of the document, with what it says about them. */
export interface DocumentedRequest {
  method: string
  path: string
  operation: OpenApiOperation
}

export function listRequests(document: OpenApiDocument): DocumentedRequest[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}
