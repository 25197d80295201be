/** The lead object: a contact. */
import { z } from 'zod'
import { leadName } from '../../core/lead-name.ts'
import { LEAD_FIELDS } from './queries.ts'
import { id, optionalText, text } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Lead = z
  .strictObject({
    object: z.literal('lead'),
    id: id('contact'),
    name: text('First and last name, or the company name, or the e-mail address, or empty.'),
    firstName: optionalText(),
    lastName: optionalText(),
    email: optionalText(),
    phone: optionalText(),
    companyName: optionalText(),
  })
  .meta({ id: 'Lead', description: 'The contact that a quote or booking is for.' })

export const LEAD = publicObject(Lead, LEAD_FIELDS, { name: leadName })
