/** JSON Schema from the zod schemas: what is documented is what is checked and sent. */
import { z } from 'zod'
import { OPEN } from '../codec/schemas.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

const COMPONENTS = '#/components/schemas/'

/** Every schema that has an id, by its id, referring to one another. */
export function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => COMPONENTS + id, override: simplify })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, without(schema, '$schema', '$id', 'id')]),
  )
}

/** A reference to a schema that has an id; for arrays and choices of such, the same around it. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const id = schema.meta()?.id
  if (id !== undefined) return { $ref: COMPONENTS + id }
  if (schema instanceof z.ZodArray) return { type: 'array', items: schemaOf(schema.element as z.ZodType) }
  if (schema instanceof z.ZodUnion) return { anyOf: (schema.options as z.ZodType[]).map(schemaOf) }
  throw new Error('the documentation shows schemas that have an id, and arrays and choices of them')
}

/** For one parameter: the input, in the type it represents. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  const full = z.toJSONSchema(schema, { override: simplify })
  return without(full, '$schema', 'description', 'example', 'repeatable')
}

/** zod adds these bounds to every integer. */
const ANY_INTEGER = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Shortens schemas, opens those that a later release may extend, and splits those that client generators need split. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  openUp(jsonSchema)
  splitMap(jsonSchema)
  // Every name of a member is a string.
  delete jsonSchema.propertyNames
  for (const [limit, value] of Object.entries(ANY_INTEGER) as ['minimum' | 'maximum', number][]) {
    if (jsonSchema[limit] === value) delete jsonSchema[limit]
  }
  // `type: [string, null]` instead of `anyOf [string, null]`.
  const [value, none, ...rest] = jsonSchema.anyOf ?? []
  if (value === undefined || none?.type !== 'null' || rest.length > 0 || typeof value.type !== 'string')
    return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, value, { type: [value.type, 'null'] })
  if (value.enum !== undefined) jsonSchema.enum = [...value.enum, null]
}

/**
 * Objects may get more members, and open enumerations more values. Clients that validate must accept both, so the
 * document does not forbid them. Our tests hold every response against the strict schemas.
 */
function openUp(jsonSchema: JsonSchema): void {
  const { additionalProperties: others, properties = {}, enum: values = [] } = jsonSchema
  const isLoose = typeof others === 'object' && Object.keys(others).length === 0
  const isAnyObject = isLoose && Object.keys(properties).length === 0
  if (isAnyObject) jsonSchema.additionalProperties = true
  else if (others === false || isLoose) delete jsonSchema.additionalProperties
  if (jsonSchema[OPEN] !== true) return
  for (const key of [OPEN, 'type', 'enum']) delete jsonSchema[key]
  jsonSchema.anyOf = [{ type: 'string', enum: values }, { type: 'string' }]
}

/**
 * Fixed members and a map become two parts of an `allOf`. Generated validators ignore a map beside fixed members, and
 * generated types with both in one do not always compile.
 */
function splitMap(jsonSchema: JsonSchema): void {
  const { type, properties, required, additionalProperties } = jsonSchema
  if (properties === undefined || typeof additionalProperties !== 'object') return
  for (const key of ['type', 'properties', 'required', 'additionalProperties']) delete jsonSchema[key]
  const fixed = { type, properties, ...(required !== undefined && { required }) } as JsonSchema
  jsonSchema.allOf = [fixed, { type: 'object', additionalProperties }]
}

function without(schema: JsonSchema, ...keys: (keyof JsonSchema)[]): JsonSchema {
  const rest = { ...schema }
  for (const key of keys) delete rest[key]
  return rest
}
