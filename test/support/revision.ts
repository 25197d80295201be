/** A revision with an optional line and two alternatives, for tests of its rules. */
import { composeRevision, writeRevision } from '../../src/core/quotes/revision.ts'
import type { RevisionParts } from '../../src/core/quotes/revision.ts'
import { hashRevision } from '../../src/core/quotes/revision-hash.ts'
import { CONTENT, LINE } from './quote-content.ts'

export const REVISION_PARTS: RevisionParts = {
  quoteId: 'q',
  number: 'Q-1042',
  revision: 1,
  sentAt: '2026-05-01T10:00:00.000Z',
  expiresAt: '2026-05-31T10:00:00.000Z',
  currency: 'USD',
  message: 'Thank you for asking us.',
  seller: {
    companyId: 'c',
    name: 'Harbor Events',
    legalName: 'Harbor Events Inc.',
    streetAddress: '1 Quay Street',
    city: 'Boston',
    state: 'MA',
    zip: '02110',
    country: 'US',
    email: 'hello@harbor.example',
    phone: '555-0100',
    taxNumber: null,
    website: null,
    footer: null,
    accentColor: '#14507a',
    logoHash: null,
    locale: 'en-US',
  },
  customer: { name: 'Ada Noor', companyName: null, email: 'ada@example.com', phone: null },
  event: { type: 'Wedding', location: 'Pier 4', timeZone: 'America/New_York' },
  terms: null,
  contract: { name: 'Standard', content: '{{customer.name}} pays {{quote.total}} to {{company.name}}.' },
  content: {
    ...CONTENT,
    serviceDays: [
      {
        id: 'day',
        serviceStartTime: '2026-06-06T20:00:00.000Z',
        serviceEndTime: '2026-06-07T02:00:00.000Z',
      },
    ],
    lines: [
      { ...LINE, description: 'Bar', priceCents: 10_000 },
      { ...LINE, id: 'b', description: 'Ice', priceCents: 2_000, optional: true, selected: false },
      { ...LINE, id: 'c', description: 'Beer', priceCents: 3_000, optionGroup: 'Drinks' },
      { ...LINE, id: 'd', description: 'Wine', priceCents: 5_000, optionGroup: 'Drinks', selected: false },
    ],
    taxRateId: 't',
  },
  catalog: {
    services: [],
    addons: [],
    discounts: [],
    serviceCharges: [],
    taxRates: [{ id: 't', found: true, rate: '10', name: 'Sales tax 10 %' }],
  },
}

export const REVISION = composeRevision(REVISION_PARTS)
export const REVISION_TEXT = writeRevision(REVISION)
export const REVISION_HASH = hashRevision(REVISION_TEXT)
