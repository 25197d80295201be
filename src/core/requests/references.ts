/** The references in the body of a write: which records it names, and why one of them cannot be used. */

/** How messages for integrations name each kind of record. */
const NAMES = {
  lead: 'a lead',
  location: 'a location',
  eventType: 'an event type',
  discount: 'a discount',
  taxRate: 'a tax rate',
  paymentTerms: 'payment terms',
  contract: 'a contract',
  serviceCharge: 'a service charge',
  service: 'a service',
  addon: 'an add-on',
  staff: 'a staff member',
  resource: 'a resource',
} as const

export type ReferenceKind = keyof typeof NAMES

export const REFERENCE_KINDS = Object.keys(NAMES) as readonly ReferenceKind[]

export interface Reference {
  /** `serviceDays[0].lines[2].discountId` */
  param: string
  kind: ReferenceKind
  id: string
}

/** A record that exists. */
export interface ReferencedRecord {
  kind: ReferenceKind
  id: string
  /** Archived or inactive. */
  isRetired: boolean
  /** Of a discount or charge that is an amount. */
  currency: string | null
}

const SINGLE = /^(\w+)Id$/
const LIST = /^(\w+)Ids$/

const isKind = (kind: string | undefined): kind is ReferenceKind => kind !== undefined && kind in NAMES

/** All references in the order of the input, except those that the record already has. */
export function listReferences(input: object, stored: object = {}, path = ''): Reference[] {
  return Object.entries(input).flatMap(([name, value]: [string, unknown]): Reference[] => {
    const param = `${path}${name}`
    const [, single] = SINGLE.exec(name) ?? []
    if (isKind(single) && typeof value === 'string') {
      return value === Reflect.get(stored, name) ? [] : [{ param, kind: single, id: value }]
    }
    if (!Array.isArray(value)) return []
    const [, list] = LIST.exec(name) ?? []
    if (isKind(list)) {
      const kept = new Set((Reflect.get(stored, name) as readonly string[] | undefined) ?? [])
      return (value as string[]).flatMap((id, i) =>
        kept.has(id) ? [] : [{ param: `${param}[${i}]`, kind: list, id }],
      )
    }
    const before = (Reflect.get(stored, name) as readonly object[] | undefined) ?? []
    return value.flatMap((item: unknown, i) =>
      typeof item === 'object' && item !== null
        ? listReferences(item, before.find((one) => hasSameIds(one, item)) ?? {}, `${param}[${i}].`)
        : [],
    )
  })
}

/** An object of a list may be anywhere in the stored list. */
function hasSameIds(stored: object, item: object): boolean {
  return Object.entries(item).every(
    ([name, value]) => !SINGLE.test(name) || (value ?? null) === (Reflect.get(stored, name) ?? null),
  )
}

export interface WrongReference {
  param: string
  kind: ReferenceKind
  /** For integrations. */
  message: string
  /** The verb and the rest of a sentence, for people. */
  problem: string
}

/** The first reference that cannot be used, and why; null if all can. `currency` is that of the quote. */
export function findReferenceError(
  references: readonly Reference[],
  records: readonly ReferencedRecord[],
  currency: string | null,
): WrongReference | null {
  const known = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]))
  for (const { param, kind, id } of references) {
    const record = known.get(`${kind} ${id}`)
    if (record === undefined)
      return { param, kind, message: `${param} is not the id of ${NAMES[kind]}`, problem: 'does not exist' }
    const problem = problemOf(kind, record, currency)
    if (problem !== null) return { param, kind, message: `${param} ${problem}`, problem }
  }
  return null
}

function problemOf(kind: ReferenceKind, record: ReferencedRecord, currency: string | null): string | null {
  if (record.isRetired) return kind === 'staff' || kind === 'resource' ? 'is inactive' : 'is archived'
  if (currency !== null && record.currency !== null && record.currency !== currency) {
    return `is an amount in ${record.currency}, but the quote is in ${currency}`
  }
  return null
}
