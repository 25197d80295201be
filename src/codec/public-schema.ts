/** The schema of a public object, derived from its columns. OpenAPI is generated from it. */
import { z } from 'zod'
import { Computed } from './column.ts'
import type { Column, ColumnType, Members, PublicOf } from './column.ts'
import { Currency, OPEN } from './schemas.ts'

type Shape<Table extends Members> = {
  [Name in keyof PublicOf<Table>]: z.ZodType<PublicOf<Table>[Name]>
}

/** A schema for each public member, in the order of the columns. */
export function publicShape<Table extends Members>({ members }: { members: Table }): Shape<Table> {
  const shown = Object.entries<Column | Computed>(members).flatMap(([name, member]) => {
    if (member instanceof Computed) return [[name, member.schema] as const]
    return member.facts.isInternal === true ? [] : [[name, schemaOf(name, member)] as const]
  })
  return Object.fromEntries(shown) as unknown as Shape<Table>
}

const SCHEMAS: Partial<Record<ColumnType, () => z.ZodType>> = {
  text: z.string,
  filledText: z.string,
  timeZone: z.string,
  endpointUrl: z.string,
  id: z.string,
  time: z.string,
  boolean: z.boolean,
  integer: z.int,
  bigInteger: z.int,
  money: z.int,
  percentage: z.number,
  quantity: z.number,
  currency: () => Currency,
}

function schemaOf(name: string, { facts }: Column): z.ZodType {
  const { type, values, isNullable, isOpen, description } = facts
  const schema = facts.schema ?? (values === undefined ? SCHEMAS[type]?.() : z.enum(values))
  if (schema === undefined) throw new Error(`${name} has a type that the API cannot show`)
  const meta = {
    ...(type === 'time' && { format: 'date-time' }),
    ...(description !== undefined && { description }),
    ...(isOpen === true && { [OPEN]: true }),
  }
  const full = isNullable === true ? schema.nullable() : schema
  return Object.keys(meta).length === 0 ? full : full.meta(meta)
}
