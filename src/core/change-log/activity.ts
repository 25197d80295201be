/** Entries of the audit page and of timelines: a change or an audit entry. */
import { CHANGE_TYPES } from './change-types.ts'
import type { Actor, ChangeType } from './change-types.ts'
import { AUDIT_TYPES } from './audit-types.ts'
import type { AuditType } from './audit-types.ts'

/** The kinds that the audit page filters by, with the first parts of their types. */
const KINDS = {
  contacts: ['lead'],
  quotes: ['quote'],
  bookings: ['booking'],
  events: ['event'],
  tasks: ['task'],
  invoices: ['invoice'],
  forms: ['form_response', 'form'],
  imports: ['data'],
  catalog: ['service', 'addon', 'package', 'contract', 'event_type'],
  pricing: ['discount', 'service_charge', 'tax_rate', 'payment_terms'],
  team: ['staff', 'resource', 'location'],
  keys: ['api_key'],
  webhooks: ['webhook_endpoint'],
  people: ['user'],
  settings: ['settings', 'company'],
} as const satisfies Record<string, readonly string[]>

export type ActivityKind = keyof typeof KINDS

export const ACTIVITY_KINDS = Object.keys(KINDS) as [ActivityKind, ...ActivityKind[]]

/** Values of the person filter for writes without a user or key. */
export const CUSTOMERS_PERSON = 'customers'
export const SYSTEM_PERSON = 'system'

const isOfKind = (kind: ActivityKind) => (type: string) =>
  (KINDS[kind] as readonly string[]).includes(type.slice(0, type.indexOf('.')))

export function typesOfKind(kind: ActivityKind): { changes: ChangeType[]; audit: AuditType[] } {
  return { changes: CHANGE_TYPES.filter(isOfKind(kind)), audit: AUDIT_TYPES.filter(isOfKind(kind)) }
}

/** A member with its old and new value. */
export interface MemberChange {
  name: string
  before: unknown
  after: unknown
}

export interface Activity {
  /** Also the position in the list. */
  id: string
  type: ChangeType | AuditType
  at: string
  actor: Actor
  subject: { object: string; id: string; name: string | null }
  members: MemberChange[]
  /** Of the amounts; null if the subject has none. */
  currency: string | null
  /** Further facts, such as the address of a sign-in or the number of imported records. */
  details: Record<string, unknown>
}

export interface ActivityPosition {
  at: string
  /** Entries of the same time: changes come first. */
  source: 'change' | 'audit'
  key: string
}

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (change|audit) ([\x21-\x7e]{1,100})$/

export const activityId = ({ at, source, key }: ActivityPosition) => `${at} ${source} ${key}`

/** Null if the text is not an id of an entry. */
export function parseActivityId(id: string): ActivityPosition | null {
  const [, at, source, key] = POSITION.exec(id) ?? []
  if (at === undefined || key === undefined || Number.isNaN(Date.parse(at))) return null
  if (source === 'change') return /^[1-9]\d{0,17}$/.test(key) ? { at, source, key } : null
  return { at, source: 'audit', key }
}

/** `previous` has the old values of the members that changed. */
export function membersOf(
  previous: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>> | null,
): MemberChange[] {
  if (after === null) return []
  return Object.entries(previous).map(([name, before]) => ({ name, before, after: after[name] ?? null }))
}
