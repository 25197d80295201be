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

/** The schema of an object at the end of a path of objects: at the deepest segment it has no relations. */
export function expandedSchema(name: ObjectName, parents: readonly ObjectName[] = []): z.ZodObject {
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

/** `Booking` for the first booking on the path; `EventBooking` for the booking of an event of a booking. */
function componentName(path: readonly ObjectName[]): string {
  const before = (path as readonly string[]).lastIndexOf(path.at(-1) ?? '', -2)
  return path
    .slice(before === -1 ? -1 : before + 1)
    .map((name) => DOCUMENTED[name]?.id ?? '')
    .join('')
}
