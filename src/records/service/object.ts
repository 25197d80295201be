/** The service and add-on objects: definitions, without quantities and prices. */
import { z } from 'zod'
import { SERVICE_FIELDS } from './queries.ts'
import { id as idOf, optionalText } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const definition = {
  name: z.string(),
  description: optionalText(),
  imageUrl: optionalText('URL of a picture.'),
}

const Service = z
  .strictObject({ object: z.literal('service'), id: idOf('service'), ...definition })
  .meta({ id: 'Service', description: 'A service the company offers.' })

const Addon = z
  .strictObject({ object: z.literal('addon'), id: idOf('add-on'), ...definition })
  .meta({ id: 'Addon', description: 'An extra that goes with services.' })

export const SERVICE = publicObject(Service, SERVICE_FIELDS, {})
export const ADDON = publicObject(Addon, SERVICE_FIELDS, {})
