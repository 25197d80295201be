import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPossibleId, isStorableText } from '../src/core/ids.ts'
import { TEST_LOGO } from './support/logo.ts'
import * as types from '../src/world/field-types.ts'
import type { FieldType } from '../src/world/field-types.ts'
import type { Field } from '../src/world/fields.ts'
import type { Kind } from '../src/world/kind.ts'
import { KINDS } from '../src/world/kinds.ts'
import { createDatabase } from './support/database.ts'
import { clearWorld, exportText, importValid } from './support/world.ts'
import { SLOW_RUNS } from './support/property-runs.ts'
import { REVISION_HASH, REVISION_TEXT } from './support/revision.ts'
import type { TestRecord } from './support/world.ts'

const { pool, connection } = await createDatabase()

/** Any character, and those that mean something to JSON, COPY and array literals more often. */
const character = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.constantFrom(
    '\\',
    '"',
    "'",
    '\t',
    '\n',
    '\r',
    '{',
    '}',
    ',',
    'N',
    '.',
    '\\N',
    '\\.',
    '\u2028',
    '\u0001',
    'é',
    '𝔘',
  ),
)
const anyText = fc
  .array(character, { maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter(isStorableText)
const anyId = fc.oneof(fc.constantFrom('a', 'b', 'B', '__proto__', 'NULL'), anyText.filter(isPossibleId))
const decimal = (decimals: number, max: number) =>
  fc.integer({ min: 0, max: max * 10 ** decimals }).chain((value) => {
    const text = (value / 10 ** decimals).toFixed(decimals)
    return fc.constantFrom<unknown>(Number(text), text)
  })
const anyQuantity = decimal(4, 1_000_000)
const anyMoney = fc.oneof(fc.constantFrom(0, 1e11), fc.integer({ min: 0, max: 1e11 }))
const anyTime = fc
  .date({
    min: new Date('0001-01-02T00:00:00.000Z'),
    max: new Date('9999-12-30T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace('Z', '999+02:00')))

const VALUES = new Map<FieldType, Arbitrary<unknown>>([
  [types.text, anyText],
  [types.filledText, anyText.filter((text) => text !== '')],
  [types.id, anyId],
  [types.boolean, fc.boolean()],
  [types.integer, fc.integer({ min: 0, max: 2 ** 31 - 1 })],
  [types.money, anyMoney],
  [types.percentage, decimal(6, 100)],
  [types.quantity, anyQuantity],
  [types.time, anyTime],
  [types.currency, fc.constantFrom('USD', 'EUR', 'JPY', 'KWD')],
  [types.timeZone, fc.constantFrom('UTC', 'Europe/Paris', 'US/Eastern', 'Asia/Kolkata')],
  [types.endpointUrl, fc.constantFrom('https://example.com/hook', 'http://[::1]:8080/é?a=b')],
  [types.endpointTypes, fc.uniqueArray(fc.constantFrom('*', 'quote.*', 'task.created'))],
  [types.country, fc.constantFrom('US', 'PT')],
  [types.locale, fc.constantFrom('en-US', 'de-CH')],
  [types.color, fc.constantFrom('#000000', '#1f6f5c')],
  [types.logo, fc.constant(TEST_LOGO)],
  [types.revisionContent, fc.constant(REVISION_TEXT)],
  [types.slug, fc.constant('slug')],
  [types.apiKey, fc.constant('key')],
  [types.apiKeyHash, fc.constant('key')],
  [
    types.passwordHash,
    fc
      .tuple(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
      .map((parts) =>
        parts.map((bytes) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')).join('$'),
      )
      .map((rest) => `$scrypt$ln=15,r=8,p=3$${rest}`),
  ],
  [
    types.networkList,
    fc.array(fc.constantFrom('10.0.0.0/8', '::1', '2001:db8::/32', '192.0.2.7'), { maxLength: 3 }),
  ],
])

const anyIds = fc.uniqueArray(anyId, { maxLength: 5 })
const anyOrigins = fc.uniqueArray(fc.constantFrom('https://a.example', 'http://localhost:8080'))
function valueOf({ name, type }: Field): Arbitrary<unknown> {
  if (type.values !== undefined) return fc.constantFrom(...type.values)
  if (type.items !== undefined) return type.isList === true ? objectsOf(type.items) : objectOf(type.items)
  if (name === 'allowedOrigins') return anyOrigins
  return VALUES.get(type) ?? (type.isList ? anyIds : fc.integer({ min: 0, max: 999_999_999 }))
}

/** A list of objects, with no currency twice. */
function objectsOf(fields: readonly Field[]): Arbitrary<TestRecord[]> {
  const object = objectOf(fields).map((one) => withoutConditional(fields, one))
  return fc.uniqueArray(object, { maxLength: 3, selector: ({ currency }) => currency ?? Symbol('none') })
}

function withoutConditional(fields: readonly Field[], object: TestRecord): TestRecord {
  for (const { name, exactlyWith } of fields) {
    if (exactlyWith && object[exactlyWith.field] !== exactlyWith.value) object[name] = null
  }
  return object
}

/** Fields that go with the value of another one are always there, for `assemble` to take away. */
function objectOf(fields: readonly Field[]): Arbitrary<TestRecord> {
  return fc.record(
    Object.fromEntries(
      fields.map((field) => {
        const isFixed = field.required === true || field.exactlyWith !== undefined
        return [field.name, isFixed ? valueOf(field) : fc.option(valueOf(field))]
      }),
    ),
  )
}

function recordsOf({ name, shape, children }: Kind): Arbitrary<TestRecord[]> {
  const answers =
    children === null ? fc.constant(null) : fc.array(objectOf(children.shape.fields), { maxLength: 3 })
  const record = fc.tuple(objectOf(shape.fields), answers, fc.nat(), fc.nat(), fc.boolean())
  return fc.array(record, { maxLength: 3, minLength: name === 'company' ? 1 : 0 }).map((records) =>
    records.map(([fields, rest, company, owner, plain]) => {
      return {
        object: name,
        ...fields,
        ...(rest === null ? {} : { answers: rest }),
        picks: { company, owner, plain },
      }
    }),
  )
}

/** Records that belong to one another: owners picked among those there are, each id once, and fields that go together. */
function assemble(drafts: TestRecord[][]): TestRecord[] {
  const world = new Map<string, TestRecord>()
  const all = (object: unknown, companyId?: unknown) =>
    [...world.values()].filter(
      (one) => one['object'] === object && (!companyId || one['companyId'] === companyId),
    )
  for (const [index, kind] of KINDS.entries()) {
    for (const [number, { picks, ...record }] of (drafts[index] ?? []).entries()) {
      const { company, owner, plain } = picks as { company: number; owner: number; plain: boolean }
      withoutConditional(kind.shape.fields, record)
      for (const field of kind.shape.fields) {
        const { name, references } = field
        if (!field.owner) continue
        const owners = references === 'company' ? all('company') : all(references, record['companyId'])
        record[name] = pick(owners, references === 'company' ? company : owner)
      }
      if (kind.name === 'apiKey') {
        delete record[plain ? 'keyHash' : 'key']
        if (plain) record['key'] = `key-number-${number}`
        else record['keyHash'] = String(number).padStart(64, 'a')
      }
      if (kind.name === 'form') record['slug'] &&= `form-${number}`
      if (kind.name === 'quoteRevision') Object.assign(record, { revision: number, sha256: REVISION_HASH })
      if (kind.children !== null) record['answers'] = distinctIds(record['answers'] as TestRecord[])
      const isOwned = kind.shape.fields.every((field) => !field.owner || record[field.name] !== undefined)
      if (isOwned) world.set(JSON.stringify([kind.name, record['companyId'], record['id']]), record)
    }
  }
  return [...world.values()]
}

function pick(owners: TestRecord[], at: number): unknown {
  return owners[at % Math.max(1, owners.length)]?.['id']
}

function distinctIds(records: TestRecord[]): TestRecord[] {
  return [...new Map(records.map((record) => [record['id'], record])).values()]
}

const anyWorld = fc
  .tuple(...KINDS.map(recordsOf))
  .map(assemble)
  .chain((world) => fc.shuffledSubarray(world, { minLength: world.length, maxLength: world.length }))

describe('any world', () => {
  it(
    'is exported byte for byte as it was imported, in any order of its lines and repeatedly',
    { timeout: 90_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(anyWorld, fc.infiniteStream(fc.nat()), async (world, random) => {
          await clearWorld(pool)
          await importValid(connection, world)
          const first = await exportText(connection)
          const lines = first.split('\n').slice(0, -1)
          expect(lines).toHaveLength(world.length)
          await clearWorld(pool)
          const places = new Map(lines.map((line) => [line, random.next().value]))
          const shuffled = lines.toSorted((a, b) => Number(places.get(a)) - Number(places.get(b)))
          await importValid(connection, shuffled)
          expect(await exportText(connection)).toBe(first)
          await importValid(connection, world)
          expect(await exportText(connection)).toBe(first)
        }),
        { numRuns: Math.ceil(SLOW_RUNS / 4), endOnFailure: true },
      )
    },
  )
})
