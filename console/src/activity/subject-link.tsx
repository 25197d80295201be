/** The name of a record, as a link if it has a page. */
import { Link } from 'react-router'
import { RECORD_PAGES } from '../../../src/core/record-kinds.ts'

const PAGES: Record<string, string> = {
  quote: '/quotes',
  event: '/events',
  lead: RECORD_PAGES.contacts,
  service: RECORD_PAGES.services,
  addon: RECORD_PAGES.addons,
  package: RECORD_PAGES.packages,
  discount: RECORD_PAGES.discounts,
  serviceCharge: RECORD_PAGES['service-charges'],
  taxRate: RECORD_PAGES['tax-rates'],
  paymentTerms: RECORD_PAGES['payment-terms'],
  contract: RECORD_PAGES.contracts,
  eventType: RECORD_PAGES['event-types'],
  location: RECORD_PAGES.locations,
  resource: RECORD_PAGES.equipment,
  staff: RECORD_PAGES.staff,
}

interface SubjectLinkProps {
  subject: { object: string; id: string }
  name: string
}

export function SubjectLink({ subject: { object, id }, name }: SubjectLinkProps) {
  const page = PAGES[object]
  return page === undefined ? (
    name
  ) : (
    <Link className="app-link" to={`${page}/${encodeURIComponent(id)}`}>
      {name}
    </Link>
  )
}
