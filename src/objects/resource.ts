/** The resource object. */
import { z } from 'zod'
import { isoFromPostgres } from '../core/datetime.ts'
import type { ResourceRow } from '../db/resources.ts'
import { id, timestamp } from './fields.ts'

export const Resource = z
  .strictObject({
    object: z.literal('resource'),
    id: id('resource'),
    name: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable().meta({ description: 'URL of a picture.' }),
    category: z.string().nullable(),
    status: z.enum(['Active', 'Inactive']),
    locationId: id('location the resource is attached to'),
    createdAt: timestamp('When the resource was created.'),
    updatedAt: timestamp('When the resource was last changed.'),
  })
  .meta({ id: 'Resource', description: 'A piece of equipment or another asset that events use.' })

export function presentResource(row: ResourceRow): z.output<typeof Resource> {
  const [resourceId, name, description, imageUrl, category, status, locationId, createdAt, updatedAt] = row
  return {
    object: 'resource',
    id: resourceId,
    name,
    description,
    imageUrl,
    category,
    status,
    locationId,
    createdAt: isoFromPostgres(createdAt),
    updatedAt: isoFromPostgres(updatedAt),
  }
}
