/** The staff object. */
import { STAFF_STATUSES } from '../core/enumerations.ts'
import { z } from 'zod'
import type { StaffRow } from '../db/staff.ts'
import { id, isoTimes, optionalText, text, timestamp } from './fields.ts'

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

export function presentStaff(row: StaffRow): z.output<typeof Staff> {
  return { object: 'staff', ...row, ...isoTimes(row) }
}
