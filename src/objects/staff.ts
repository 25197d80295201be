/** The staff object. */
import { z } from 'zod'
import { isoFromPostgres } from '../core/datetime.ts'
import type { StaffRow } from '../db/staff.ts'
import { id, timestamp } from './fields.ts'

export const Staff = z
  .strictObject({
    object: z.literal('staff'),
    id: id('staff member'),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().meta({ description: 'E-mail address.' }),
    phone: z.string().nullable().meta({ description: 'Telephone number.' }),
    role: z.string().nullable().meta({ description: 'A free label.' }),
    status: z.enum(['active', 'inactive']),
    createdAt: timestamp('When the staff member was created.'),
    updatedAt: timestamp('When the staff member was last changed.'),
  })
  .meta({ id: 'Staff', description: 'A person who works at events. Inactive ones stay readable.' })

export function presentStaff(row: StaffRow): z.output<typeof Staff> {
  const [staffId, firstName, lastName, email, phone, role, status, createdAt, updatedAt] = row
  return {
    object: 'staff',
    id: staffId,
    firstName,
    lastName,
    email,
    phone,
    role,
    status,
    createdAt: isoFromPostgres(createdAt),
    updatedAt: isoFromPostgres(updatedAt),
  }
}
