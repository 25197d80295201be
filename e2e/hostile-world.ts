/** A world in which every text runs a script if a page treats it as markup. Generated from the table of kinds. */
import { randomUUID } from 'node:crypto'
import { hashPassword } from '../src/core/security/password.ts'
import { filledText, text } from '../src/world/field-types.ts'
import type { Field, Shape } from '../src/world/fields.ts'
import type { Kind } from '../src/world/kind.ts'
import { KINDS } from '../src/world/kinds.ts'
import { PASSWORD, emailOf } from '../test/support/console.ts'
import { REVISION_HASH } from '../test/support/revision.ts'
import { MINIMAL } from '../test/support/world.ts'
import type { TestRecord } from '../test/support/world.ts'

export const COMPANY = 'c'

/** Each calls `hacked` with the name of the field if it runs. */
const PAYLOADS: ((field: string) => string)[] = [
  (field) => `<img src=x onerror="hacked('${field}')">`,
  (field) => `"><script>hacked('${field}')</script>`,
  (field) => `javascript:hacked('${field}')`,
  (field) => `{{constructor.constructor("hacked('${field}')")()}}\${hacked('${field}')}`,
  (field) =>
    `' onmouseover='hacked("${field}")' autofocus onfocus='hacked("${field}")' x='<svg onload=hacked()>`,
  (field) =>
    `</title></style></textarea></script><iframe srcdoc="<script>parent.hacked('${field}')</script>"></iframe><img src="https://evil.example/${field}.png">`,
]

const URLS: ((field: string) => string)[] = [
  (field) => `javascript:hacked('${field}')`,
  (field) => `https://evil.example/${field}.png`,
  (field) => `data:text/html,<script>parent.hacked('${field}')</script>`,
  (field) => `//evil.example/${field}.png`,
]

/** One record of each kind per payload, so that every field contains every payload in one of the records. */
export const VARIANTS: readonly number[] = PAYLOADS.map((_, i) => i)

/** Ids are hostile too, because pages and URLs contain them. */
export function hostileId(kind: string, variant: number): string {
  return kind === 'company'
    ? COMPANY
    : `"><img src=x onerror=hacked('${kind}.id')>/../%2e?#&${kind}.${variant}`
}

const DAY_MS = 86_400_000
const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** Values that make records appear on the pages: quotes of every state, upcoming events, overdue tasks and invoices. */
const FACTS: Record<string, (variant: number) => TestRecord> = {
  quoteRevision: () => ({ sha256: REVISION_HASH }),
  company: () => ({ id: COMPANY }),
  apiKey: () => ({ key: randomUUID() }),
  user: (variant) => ({ email: `${variant}@hacked.example` }),
  discount: (variant) =>
    variant % 2 === 0
      ? { type: 'PERCENT', percentOff: 5 }
      : { type: 'AMOUNT', percentOff: undefined, amountOff: 100, currency: 'USD' },
  quote: (variant) => ({
    baseFeeCents: 10_000,
    guestCount: 10,
    ...(variant === 0 ? { bookingId: undefined } : { sentAt: at(-3), expiresAt: at(variant === 1 ? 3 : -1) }),
    ...(variant === 3 ? { bookedAt: at(-1) } : {}),
    ...(variant === 4 ? { lostAt: at(-1), lostReason: 'PRICE' } : {}),
  }),
  serviceDay: (variant) => ({ serviceStartTime: at(variant + 1), serviceEndTime: at(variant + 1.2) }),
  lineItem: (variant) => [{ kind: 'SERVICE' }, { kind: 'ADDON' }, { kind: 'CUSTOM' }][variant % 3] ?? {},
  booking: (variant) => ({ canceledAt: variant === 5 ? at(-1) : undefined }),
  event: (variant) => ({ serviceStartTime: at(variant / 10), serviceEndTime: at(variant / 10 + 0.2) }),
  invoice: (variant) => ({
    issuedAt: at(-40),
    dueDate: at(-10),
    lines: [{ description: textFor('invoice.lines', 'description', variant), amountCents: 100 }],
  }),
  task: (variant) => ({ dueDate: at(-2), completedAt: variant === 5 ? at(-1) : undefined }),
}

function textFor(kind: string, field: string, variant: number): string {
  const choices = /url$/i.test(field) ? URLS : PAYLOADS
  const place = field.length + variant
  return choices[place % choices.length]?.(`${kind}.${field}`) ?? ''
}

function recordOf({ name, shape, children }: Kind, variant: number): TestRecord {
  const minimal: TestRecord = MINIMAL[name as keyof typeof MINIMAL]
  const record: TestRecord = { ...minimal, id: hostileId(name, variant), ...fill(name, shape, variant) }
  if (children !== null)
    record[children.name] = [
      { id: hostileId(children.name, variant), ...fill(children.name, children.shape, variant) },
    ]
  Object.assign(record, FACTS[name]?.(variant))
  for (const { name: field, exactlyWith } of shape.fields) {
    if (exactlyWith !== undefined && record[exactlyWith.field] !== exactlyWith.value) delete record[field]
  }
  return record
}

/** Fills every text, and every reference with a record of the same variant. */
function fill(kind: string, { fields }: Shape, variant: number): TestRecord {
  const filled = fields.flatMap((field) => {
    const value = valueOf(kind, field, variant)
    return value === undefined ? [] : [[field.name, value]]
  })
  return Object.fromEntries(filled) as TestRecord
}

function valueOf(kind: string, { name, type, references }: Field, variant: number): unknown {
  if (references !== undefined) {
    const id = hostileId(references, variant)
    return type.isList === true ? [id] : id
  }
  return type === text || type === filledText ? textFor(kind, name, variant) : undefined
}

export async function hostileWorld(): Promise<{ lines: string[]; companyId: string; apiKey: string }> {
  const records = KINDS.flatMap((kind) =>
    kind.name === 'company' ? [recordOf(kind, 0)] : VARIANTS.map((variant) => recordOf(kind, variant)),
  )
  const apiKey = randomUUID()
  const passwordHash = await hashPassword(PASSWORD)
  const user = { object: 'user', companyId: COMPANY, name: textFor('user', 'name', 1), passwordHash }
  return {
    companyId: COMPANY,
    apiKey,
    lines: [
      ...records,
      {
        object: 'apiKey',
        id: 'of the test',
        companyId: COMPANY,
        name: textFor('apiKey', 'name', 0),
        key: apiKey,
      },
      // The test signs in as this user.
      { ...user, id: 'user_ADMIN', role: 'ADMIN', email: emailOf('ADMIN', COMPANY) },
      // A user of two companies, who has to choose one.
      {
        object: 'company',
        id: 'other',
        name: textFor('company', 'name', 2),
        plan: 'PREMIUM',
        currency: 'USD',
      },
      ...[COMPANY, 'other'].map((companyId) => ({
        ...user,
        companyId,
        id: 'both',
        role: 'MEMBER',
        email: BOTH,
      })),
    ].map((record) => JSON.stringify(record)),
  }
}

export const BOTH = 'both@hacked.example'
