/** The records that people keep in the application. records/kinds.ts describes each kind. */

/** By the name in calls and pages: the path of the list. `/new` and the id of a record follow it. */
export const RECORD_PAGES = {
  contacts: '/contacts',
  services: '/catalog/services',
  addons: '/catalog/addons',
  packages: '/catalog/packages',
  discounts: '/catalog/discounts',
  'service-charges': '/catalog/service-charges',
  'tax-rates': '/catalog/tax-rates',
  'payment-terms': '/catalog/payment-terms',
  contracts: '/catalog/contracts',
  'event-types': '/catalog/event-types',
  locations: '/locations',
  equipment: '/equipment',
  staff: '/staff',
} as const

export type RecordPath = keyof typeof RECORD_PAGES

export const RECORD_PATHS = Object.keys(RECORD_PAGES) as [RecordPath, ...RecordPath[]]

/** The kinds that can be imported from CSV. */
export const IMPORT_PATHS = ['contacts', 'services', 'addons'] as const satisfies readonly RecordPath[]
export type ImportPath = (typeof IMPORT_PATHS)[number]

/** The first part of their types in the audit log. Contacts are in the change log instead. */
const AUDITED_NOUNS = [
  'service',
  'addon',
  'package',
  'discount',
  'service_charge',
  'tax_rate',
  'payment_terms',
  'contract',
  'event_type',
  'location',
  'resource',
  'staff',
] as const

export type AuditedNoun = (typeof AUDITED_NOUNS)[number]

const RECORD_VERBS = ['created', 'updated', 'archived', 'restored', 'replaced'] as const
export type RecordVerb = (typeof RECORD_VERBS)[number]

export type RecordAuditType = `${AuditedNoun}.${RecordVerb}`

export const RECORD_AUDIT_TYPES: readonly RecordAuditType[] = AUDITED_NOUNS.flatMap((noun) =>
  RECORD_VERBS.map((verb) => `${noun}.${verb}` as const),
)

export const RECORD_SORTS = ['newest', 'name', '-name'] as const
export type RecordSort = (typeof RECORD_SORTS)[number]
