/** JSON Schema from the zod schemas: one source for what is sent and for what is documented. */
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** For the serializer: everything in place, no references. */
export function responseSchema(schema: z.ZodType): JsonSchema {
  return without(z.toJSONSchema(schema, { reused: 'inline', override: simplify }), '$schema')
}

/** For the documentation: every schema that has an id, by its id, referring to one another. */
export function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: simplify,
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, without(schema, '$schema', '$id', 'id')]),
  )
}

/** For one parameter: what a caller sends counts, in the type it stands for. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  return without(z.toJSONSchema(schema, { override: simplify }), '$schema', 'description')
}

/** `anyOf [string, null]` says the same as `type: [string, null]`, which people read and serializers run faster. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const [value, none, ...rest] = jsonSchema.anyOf ?? []
  if (value === undefined || none?.type !== 'null' || rest.length > 0 || typeof value.type !== 'string')
    return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, value, { type: [value.type, 'null'] })
  if (value.enum !== undefined) jsonSchema.enum = [...value.enum, null]
}

function without(schema: JsonSchema, ...keys: (keyof JsonSchema)[]): JsonSchema {
  const rest = { ...schema }
  for (const key of keys) delete rest[key]
  return rest
}
