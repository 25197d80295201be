/** Requests to the routes of every kind of record. Ids are those of the minimal world. */
import type { RecordPath } from '../../src/core/record-kinds.ts'

/** The values of a new record, and the id of an existing one */
export const RECORD_EXAMPLES: Record<RecordPath, { id: string; values: Record<string, unknown> }> = {
  contacts: { id: 'lead', values: { firstName: 'Rosa', email: 'rosa@example.com', notes: 'Likes tulips' } },
  services: {
    id: 'srv',
    values: {
      name: 'Espresso bar',
      description: 'Two baristas',
      prices: [{ currency: 'USD', unitPriceCents: 12_500 }],
      unit: 'HOUR',
      imageUrl: 'https://example.com/bar.jpg',
    },
  },
  addons: { id: 'add', values: { name: 'Oat milk', unit: 'GUEST', taxable: false } },
  packages: {
    id: 'pkg',
    values: {
      name: 'Morning',
      lines: [
        { kind: 'SERVICE', serviceId: 'srv', quantity: 2 },
        { kind: 'CUSTOM', description: 'Setup' },
      ],
    },
  },
  discounts: { id: 'off', values: { name: 'Friends', type: 'PERCENT', percentOff: '12.5' } },
  'service-charges': {
    id: 'fee',
    values: { name: 'Late', type: 'AMOUNT', amountCents: 900, currency: 'USD', taxable: false },
  },
  'tax-rates': { id: 'tax', values: { name: 'City tax', rate: '8.875' } },
  'payment-terms': {
    id: 'terms',
    values: { name: 'Half', paymentSchedule: 'DEPOSIT', depositType: 'PERCENT', depositPercentage: '50' },
  },
  contracts: { id: 'con', values: { name: 'Standard', content: 'Dear {{customer.name}},' } },
  'event-types': { id: 'type', values: { name: 'Gala' } },
  locations: { id: 'loc', values: { name: 'Pier', city: 'Oslo', timeZone: 'Europe/Oslo' } },
  equipment: { id: 'res', values: { name: 'Van 2', category: 'Vehicles', locationId: 'loc' } },
  staff: { id: 'staff', values: { firstName: 'Ivo', lastName: 'Berg', email: 'ivo@example.com' } },
}

const updatedAt = '2026-01-01T00:00:00.000Z'

const OTHER_REQUESTS = {
  'GET /console/equipment/categories': {},
  'POST /console/contacts/import': { body: { file: btoa('Name,Email\nAda,ada@example.com'), dryRun: false } },
  'POST /console/services/import': { body: { file: btoa('Name,Price\nBar,12.50'), dryRun: false } },
  'POST /console/addons/import': { body: { file: btoa('Name;Unit\nIce;guest'), dryRun: false } },
  'GET /console/contacts/:id/related': { id: 'lead' },
  'GET /console/contacts/same-email': { query: 'email=Of-The-Other-Company@x.example' },
  'POST /console/contacts/:id/merge/plan': { id: 'lead', body: { otherId: 'x_lead' } },
  'POST /console/contacts/:id/merge': {
    id: 'lead',
    body: { otherId: 'x_lead', updatedAt, otherUpdatedAt: updatedAt },
  },
}

const KIND_REQUESTS = Object.fromEntries(
  Object.entries(RECORD_EXAMPLES).flatMap(([path, { id, values }]) => [
    [`GET /console/${path}`, { query: 'search=Of-The-Other-Company&sort=name' }],
    [`GET /console/${path}/export`, {}],
    [`GET /console/${path}/:id`, { id }],
    [`POST /console/${path}`, { body: { values } }],
    [`PATCH /console/${path}/:id`, { id, body: { updatedAt, values } }],
    [`POST /console/${path}/:id/archive`, { id, body: { updatedAt } }],
    [`POST /console/${path}/:id/restore`, { id, body: { updatedAt } }],
  ]),
)

export const RECORD_REQUESTS = { ...OTHER_REQUESTS, ...KIND_REQUESTS }
