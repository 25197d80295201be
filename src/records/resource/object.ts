/** The resource object. */
import { RESOURCE_STATUSES } from '../../core/enumerations.ts'
import { z } from 'zod'
import { RESOURCE_FIELDS } from './queries.ts'
import { id, optionalText, timestamp } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

export const Resource = z
  .strictObject({
    object: z.literal('resource'),
    id: id('resource'),
    name: z.string(),
    description: optionalText(),
    imageUrl: optionalText('URL of a picture.'),
    category: optionalText(),
    status: z.enum(RESOURCE_STATUSES),
    locationId: id('location the resource is attached to'),
    createdAt: timestamp('When the resource was created.'),
    updatedAt: timestamp('When the resource was last changed.'),
  })
  .meta({ id: 'Resource', description: 'A piece of equipment or another asset that events use.' })

export const RESOURCE = publicObject(Resource, RESOURCE_FIELDS, {})
