/** Schemas of objects with the members that expansion adds: each optional, since it is there only when asked for. */
import { z } from 'zod'
import { findObject } from './relations.ts'

/** What an expandable object is called in the documentation. */
const DOCUMENTED: Record<string, { id: string; description: string }> = {
  quote: {
    id: 'Quote',
    description:
      'An offer to a lead. Members that hold related objects are there only when they are expanded.',
  },
  booking: {
    id: 'Booking',
    description: 'A booked quote. Members that hold related objects are there only when they are expanded.',
  },
  event: {
    id: 'Event',
    description:
      'What takes place for a booking. Members that hold related objects are there only when they are expanded.',
  },
}

const made = new Map<string, z.ZodObject>()

/** Bookings lead to events and events to bookings, so members are looked up lazily. */
export function expandedSchema(name: string): z.ZodObject {
  const known = made.get(name)
  if (known !== undefined) return known
  const {
    object: { schema },
    relations,
  } = findObject(name)
  const documented = DOCUMENTED[name]
  if (documented === undefined) return schema
  const members = Object.entries(relations).map(([member, { to, many }]) => {
    const target = z.lazy(() => expandedSchema(to))
    return [member, (many ? z.array(target) : target.nullable()).optional()] as const
  })
  const expanded = schema.extend(Object.fromEntries(members)).meta(documented)
  made.set(name, expanded)
  return expanded
}
