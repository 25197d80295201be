/** Staff members of a company. */
import { STAFF_STATUSES } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import { filledText, id, ofCompany, oneOf, publicTimes, text, time } from '../../codec/column-types.ts'

export const STAFF_COLUMNS = defineColumns('staff', 'staff', {
  id: id('staff member'),
  companyId: ofCompany(),
  firstName: filledText(),
  lastName: filledText(),
  email: filledText('Email address.'),
  phone: text('Phone number.').nullable(),
  role: text('Free text.').nullable(),
  status: oneOf(STAFF_STATUSES).default('active'),
  archivedAt: time().nullable().internal(),
  ...publicTimes('staff member'),
})
