/** The service and add-on objects: definitions, without quantities and prices. */
import { z } from 'zod'
import type { ServiceRow } from '../db/services.ts'
import { id, optionalText } from './fields.ts'

const definition = {
  name: z.string(),
  description: optionalText(),
  imageUrl: optionalText('URL of a picture.'),
}

export const Service = z
  .strictObject({ object: z.literal('service'), id: id('service'), ...definition })
  .meta({ id: 'Service', description: 'A service the company offers.' })

export const Addon = z
  .strictObject({ object: z.literal('addon'), id: id('add-on'), ...definition })
  .meta({ id: 'Addon', description: 'An extra that goes with services.' })

export function presentService(row: ServiceRow): z.output<typeof Service> {
  return { object: 'service', ...row }
}

export function presentAddon(row: ServiceRow): z.output<typeof Addon> {
  return { object: 'addon', ...row }
}
