/**
 * Two companies with data that looks the same, made from the table of kinds: a kind or a reference that is added there is
 * here at once. Every reference of the first company that can lead astray does so in some record: to an `x_…` that only
 * the second one has.
 */
import {
  boolean,
  currency,
  filledText,
  integer,
  money,
  percentage,
  quantity,
  text,
  time,
} from '../../src/world/field-types.ts'
import type { FieldType } from '../../src/world/field-types.ts'
import type { Field } from '../../src/world/fields.ts'
import type { Kind } from '../../src/world/kind.ts'
import { KINDS } from '../../src/world/kinds.ts'
import { REVISION_HASH } from './revision.ts'
import { MINIMAL } from './world.ts'
import type { TestRecord } from './world.ts'

export interface Company {
  id: string
  key: string
  /** What its texts begin with. */
  mark: string
  year: number
  number: number
  percent: number
  flag: boolean
}

export const OURS: Company = {
  id: 'co_ours',
  key: 'key-of-the-first-company',
  mark: 'OURS',
  year: 2021,
  number: 1_200,
  percent: 12.5,
  flag: true,
}

/** Its values are such that none of them is in a text by chance. */
export const THEIRS: Company = {
  id: 'co_theirs',
  key: 'key-of-the-second-company',
  mark: 'THEIRS',
  year: 2022,
  number: 777_666_555,
  percent: 77.7666,
  flag: false,
}

/** Found in an answer to the first company, it is a leak: a value or an id of the second one. */
export const LEAK = /THEIRS|co_theirs|only_theirs|777666555|77\.7666|2022-|"id":"x_/

/** Kinds whose records belong to a company. Webhook endpoints need a sealed secret: see two-companies-webhooks.ts. */
const OWN_KINDS = KINDS.filter(({ name }) => !['company', 'apiKey', 'webhookEndpoint'].includes(name))

const isReference = (field: Field) => field.references !== undefined && field.name !== 'companyId'
/** The columns in which a reference to the second company is planted, and those in which none can be. */
export const REFERENCE_COLUMNS = {
  planted: OWN_KINDS.flatMap((kind) => columnsOf(kind, (field) => field.owner !== true)),
  // Ownership has foreign keys, and cannot lead astray.
  owners: OWN_KINDS.flatMap((kind) => [
    ...columnsOf(kind, (field) => field.owner === true),
    ...(kind.children === null ? [] : [`${kind.children.table.name}.${kind.children.parentColumn}`]),
  ]),
}

function columnsOf(kind: Kind, isMeant: (field: Field) => boolean): string[] {
  return [kind, kind.children].flatMap((part) =>
    part === null
      ? []
      : part.shape.fields
          .filter((field) => isReference(field) && isMeant(field))
          .map(({ column }) => `${part.table.name}.${column}`),
  )
}

/** The target of a reference; the first of its kind by default. */
type Targets = (field: Field) => string

const toFirst: Targets = ({ references }) => `${references}_1`

/**
 * The optional fields of a record: all of them, which shows most; no texts, since some are shown in place of a
 * referenced record's; or just one field. Never what hides a record.
 */
type Fullness = 'full' | 'no texts' | Field | null

function has(field: Field, fullness: Fullness): boolean {
  if (/^(archived|deleted)At$/.test(field.name)) return false
  if (field.required === true || field.exactlyWith !== undefined || fullness === 'full') return true
  return fullness === 'no texts' ? field.type !== text : field === fullness
}

/** A quote has each revision once: another number for each id. */
const numberOf = (id: string) => [...Buffer.from(id)].reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7)

function recordOf(
  kind: Kind,
  company: Company,
  id: string,
  gate: TestRecord,
  targetOf: Targets,
  fullness: Fullness = 'full',
): TestRecord {
  const base: TestRecord = { ...(MINIMAL as Record<string, TestRecord>)[kind.name], ...gate }
  const record: TestRecord = { object: kind.name, id, companyId: company.id }
  for (const field of kind.shape.fields) {
    if (field.name in record || !(field.name in gate || has(field, fullness))) continue
    if (field.exactlyWith !== undefined && base[field.exactlyWith.field] !== field.exactlyWith.value) continue
    const value =
      valueOf(kind, field, company, targetOf) ??
      gate[field.name] ??
      base[field.name] ??
      field.type.values?.[0]
    if (value !== undefined) record[field.name] = value
  }
  if (kind.name === 'quoteRevision') Object.assign(record, { revision: numberOf(id), sha256: REVISION_HASH })
  if (kind.children !== null) {
    const reference = kind.children.shape.fields.find(isReference)
    const answer = { id: `answer of ${id}`, response: `${company.mark} answer` }
    record[kind.children.name] = [
      reference === undefined ? answer : { ...answer, [reference.name]: targetOf(reference) },
    ]
  }
  return record
}

function valueOf(kind: Kind, field: Field, company: Company, targetOf: Targets): unknown {
  const { mark, year, number, percent, flag } = company
  if (isReference(field))
    return field.type.isList === true ? [...new Set([toFirst(field), targetOf(field)])] : targetOf(field)
  if (field.name === 'lines')
    return kind.name === 'package'
      ? [{ kind: 'CUSTOM', description: `${mark} line` }]
      : [{ description: `${mark} line`, amountCents: number }]
  // Lines that are not selected are not expanded.
  if (field.name === 'selected') return true
  const values = new Map<FieldType, unknown>([
    [text, `${mark} ${kind.name} ${field.name}`],
    [filledText, `${mark} ${kind.name} ${field.name}`],
    [integer, number],
    [money, number],
    [percentage, percent],
    [quantity, percent],
    [time, `${year}-06-01T10:00:00.000Z`],
    [boolean, flag],
    [currency, 'USD'],
  ])
  return values.get(field.type)
}

/** The values of the field that others depend on, such as the kind of a line: a record for each. */
function gatesOf(kind: Kind): TestRecord[] {
  const gate = kind.shape.fields.find(({ exactlyWith }) => exactlyWith !== undefined)?.exactlyWith?.field
  const values = kind.shape.byName.get(gate ?? '')?.field.type.values
  return gate === undefined || values === undefined ? [{}] : values.map((value) => ({ [gate]: value }))
}

/** Of each kind one record for each gate, its references all right; the first is `quote_1`. */
function straightRecords(company: Company): TestRecord[] {
  return OWN_KINDS.flatMap((kind) =>
    gatesOf(kind).map((gate, i) => recordOf(kind, company, `${kind.name}_${i + 1}`, gate, toFirst)),
  )
}

/** The gate with which a record has the field. */
function gateFor(kind: Kind, { exactlyWith }: Field): TestRecord {
  return exactlyWith === undefined ? (gatesOf(kind)[0] ?? {}) : { [exactlyWith.field]: exactlyWith.value }
}

const plantedId = (kind: Kind, field: Field) => `${kind.name}_with_${field.name}`

function referencesOf(kind: Kind): Field[] {
  return allReferencesOf(kind).filter((field) => field.owner !== true)
}

function allReferencesOf(kind: Kind): Field[] {
  return [...kind.shape.fields, ...(kind.children?.shape.fields ?? [])].filter(isReference)
}

/** For each reference a record in which just this one leads to the second company; also with an owner that says little. */
function plantedRecords(company: Company): TestRecord[] {
  return OWN_KINDS.flatMap((kind) =>
    referencesOf(kind).flatMap((planted) => {
      const plant = (id: string, ownerOf: Targets) => {
        const targetOf = (field: Field) => (field.owner === true ? ownerOf(field) : toFirst(field))
        return recordOf(
          kind,
          company,
          id,
          gateFor(kind, planted),
          (field) => (field === planted ? `x_${field.references}` : targetOf(field)),
          'no texts',
        )
      }
      const id = plantedId(kind, planted)
      return [plant(id, toFirst), plant(`${id}_of_bare`, ({ references }) => `${references}_bare`)]
    }),
  )
}

/** And records that lead to those, so that they are reached by a path that ends there. */
function leadingRecords(company: Company): TestRecord[] {
  return OWN_KINDS.flatMap((kind) =>
    allReferencesOf(kind).flatMap((leading) => {
      const target = OWN_KINDS.find(({ name }) => name === leading.references)
      const ids =
        target === undefined ? [] : referencesOf(target).map((planted) => plantedId(target, planted))
      return ids.map((id) =>
        recordOf(
          kind,
          company,
          `${kind.name}_to_${id}`,
          gateFor(kind, leading),
          (field) => (field === leading ? id : toFirst(field)),
          leading,
        ),
      )
    }),
  )
}

/** Of each kind one with nothing but what is required. */
function bareRecords(company: Company): TestRecord[] {
  return OWN_KINDS.map((kind) =>
    recordOf(kind, company, `${kind.name}_bare`, gatesOf(kind)[0] ?? {}, toFirst, null),
  )
}

function companyData(company: Company): TestRecord[] {
  return [straightRecords, bareRecords, plantedRecords, leadingRecords].flatMap((make) => make(company))
}

function companyRecords({ id, key }: Company): TestRecord[] {
  return [
    { ...MINIMAL.company, id },
    { ...MINIMAL.apiKey, id: 'key', companyId: id, key },
  ]
}

export function recordsOfOurs(): TestRecord[] {
  return [...companyRecords(OURS), ...companyData(OURS)]
}

/** The same ids, what the first company's references name, and more that says it belongs to what both have. */
export function recordsOfTheirs(): TestRecord[] {
  const first = (prefix: string) =>
    OWN_KINDS.map((kind) => recordOf(kind, THEIRS, `${prefix}_${kind.name}`, gatesOf(kind)[0] ?? {}, toFirst))
  return [...companyRecords(THEIRS), ...companyData(THEIRS), ...first('x'), ...first('only_theirs')]
}
