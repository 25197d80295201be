/** Subjects of entries that are records with a page. */
import type { RecordPath } from '../../../src/core/record-kinds.ts'

const PATHS: Record<string, RecordPath> = {
  lead: 'contacts',
  service: 'services',
  addon: 'addons',
  package: 'packages',
  discount: 'discounts',
  serviceCharge: 'service-charges',
  taxRate: 'tax-rates',
  paymentTerms: 'payment-terms',
  contract: 'contracts',
  eventType: 'event-types',
  location: 'locations',
  resource: 'equipment',
  staff: 'staff',
}

export const recordPathOf = (object: string): RecordPath | undefined => PATHS[object]
