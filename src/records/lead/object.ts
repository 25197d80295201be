/** The lead object: a contact. */
import { leadName } from '../../core/lead-name.ts'
import { publicObject } from '../../codec/public-object.ts'
import { LEAD_COLUMNS } from './columns.ts'
import { LEAD_FIELDS } from './queries.ts'

export const LEAD = publicObject(
  LEAD_COLUMNS,
  LEAD_FIELDS,
  { name: (row) => leadName(row.toObject()) },
  { id: 'Lead', description: 'The person or company that a quote or booking is for.' },
)
