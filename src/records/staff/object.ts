/** The staff object. */
import { STAFF_STATUSES } from '../../core/enumerations.ts'
import { z } from 'zod'
import { STAFF_FIELDS } from './queries.ts'
import { id, optionalText, text, timestamp } from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

export const Staff = z
  .strictObject({
    object: z.literal('staff'),
    id: id('staff member'),
    firstName: z.string(),
    lastName: z.string(),
    email: text('E-mail address.'),
    phone: optionalText('Telephone number.'),
    role: optionalText('A free label.'),
    status: z.enum(STAFF_STATUSES),
    createdAt: timestamp('When the staff member was created.'),
    updatedAt: timestamp('When the staff member was last changed.'),
  })
  .meta({ id: 'Staff', description: 'A person who works at events. Inactive ones stay readable.' })

export const STAFF = publicObject(Staff, STAFF_FIELDS, {})
