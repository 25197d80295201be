/** Leads: the contacts that quotes and bookings are for. */
import { loaderById } from './load.ts'

export interface LeadRow {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  companyName: string | null
}

export const loadLeads = loaderById<LeadRow>(
  'leads',
  'id firstName? lastName? email? phone? companyName?',
  't.id',
)
