/** The service and add-on objects: definitions, without quantities and prices. */
import { z } from 'zod'
import type { ServiceRow } from '../db/services.ts'
import { id as idOf, optionalText } from './fields.ts'

const definition = {
  name: z.string(),
  description: optionalText(),
  imageUrl: optionalText('URL of a picture.'),
}

export const Service = z
  .strictObject({ object: z.literal('service'), id: idOf('service'), ...definition })
  .meta({ id: 'Service', description: 'A service the company offers.' })

export const Addon = z
  .strictObject({ object: z.literal('addon'), id: idOf('add-on'), ...definition })
  .meta({ id: 'Addon', description: 'An extra that goes with services.' })

export function presentService({ id, name, description, imageUrl }: ServiceRow): z.output<typeof Service> {
  return { object: 'service', id, name, description, imageUrl }
}

export function presentAddon({ id, name, description, imageUrl }: ServiceRow): z.output<typeof Addon> {
  return { object: 'addon', id, name, description, imageUrl }
}
