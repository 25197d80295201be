/** Leads: the contacts that quotes and bookings are for. */
import { defineColumns } from '../../codec/column.ts'
import { TIMES, computed, id, ofCompany, text, time } from '../../codec/column-types.ts'
import { text as publicText } from '../../codec/schemas.ts'

export const LEAD_COLUMNS = defineColumns('lead', 'leads', {
  id: id('lead'),
  companyId: ofCompany(),
  name: computed(
    publicText(
      'First and last name, otherwise the company name, otherwise the email address, otherwise empty.',
    ),
  ),
  firstName: text().nullable(),
  lastName: text().nullable(),
  email: text().nullable(),
  phone: text().nullable(),
  companyName: text().nullable(),
  notes: text().nullable().internal(),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
