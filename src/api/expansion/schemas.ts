/**
 * Schemas of objects with the members that expansion adds. Each such member is optional, because a response has it only
 * on request. A path has at most four segments, so the schemas end there too: none refers back to itself.
 */
import { z } from 'zod'
import { SEGMENTS_MAX } from '../../core/requests/expand-paths.ts'
import { findObject } from './relations.ts'
import type { ObjectName } from './relations.ts'

const ON_REQUEST = 'Related objects are present only if they are expanded.'

/** How the documentation names the objects that have relations. */
const DOCUMENTED: Partial<Record<ObjectName, { id: string; description: string }>> = {
  quote: { id: 'Quote', description: `A quote for a lead. ${ON_REQUEST}` },
  booking: { id: 'Booking', description: `A booked quote. ${ON_REQUEST}` },
  event: { id: 'Event', description: `An event of a booking. ${ON_REQUEST}` },
}

/** By name of the object and number of segments that can follow. */
const built = new Map<string, z.ZodObject>()

/** The schema of an object at the end of a path of objects: at the deepest segment it has no relations. */
export function expandedSchema(name: ObjectName, parents: readonly ObjectName[] = []): z.ZodObject {
  const key = `${name} ${SEGMENTS_MAX - parents.length}`
  const schema = built.get(key) ?? buildSchema(name, parents)
  built.set(key, schema)
  return schema
}

function buildSchema(name: ObjectName, parents: readonly ObjectName[]): z.ZodObject {
  const {
    object: { schema },
    relations,
  } = findObject(name)
  const documented = DOCUMENTED[name]
  if (documented === undefined) return schema
  const path = [...parents, name]
  const id = componentName(path)
  if (parents.length === SEGMENTS_MAX) {
    return schema
      .extend({})
      .meta({ id, description: 'Has no relations, because its path has the maximum length.' })
  }
  const members = Object.entries(relations).map(([member, { to, many }]) => {
    const target = expandedSchema(to, path)
    return [member, (many ? z.array(target) : target.nullable()).optional()] as const
  })
  return schema.extend(Object.fromEntries(members)).meta({ ...documented, id })
}

/** The names of objects with relations in a quote, by the number of segments that can follow. */
const IN_QUOTES: Partial<Record<ObjectName, string>>[] = [
  { event: 'BookingEvent' },
  { booking: 'EventBooking' },
  { event: 'Event' },
  { booking: 'Booking' },
  { quote: 'Quote' },
]

/** An object that is nowhere in a quote, because more or fewer segments can follow, is named after its whole path. */
function componentName(path: readonly ObjectName[]): string {
  const name = path.at(-1) ?? 'quote'
  const inQuotes = IN_QUOTES[SEGMENTS_MAX + 1 - path.length]?.[name]
  return inQuotes ?? `Expandable${path.map((each) => DOCUMENTED[each]?.id ?? '').join('')}`
}
