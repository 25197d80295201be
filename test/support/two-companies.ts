/**
 * Two companies with similar data, generated from the table of kinds, so that new kinds and references are covered. Every
 * reference that can point to another company does so in some record of the first company: to an `x_…` that only the second
 * company has.
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
  /** The prefix of its texts */
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

/** Its values do not occur in other texts by accident. */
export const THEIRS: Company = {
  id: 'co_theirs',
  key: 'key-of-the-second-company',
  mark: 'THEIRS',
  year: 2022,
  number: 777_666_555,
  percent: 77.7666,
  flag: false,
}

/** Values and ids of the second company. A match in a response to the first company is a leak. */
export const LEAK = /THEIRS|co_theirs|only_theirs|777666555|77\.7666|2022-|"id":"x_/

/** Kinds whose records belong to a company. Webhook endpoints need a sealed secret: see two-companies-webhooks.ts. */
const OWN_KINDS = KINDS.filter(({ name }) => !['company', 'apiKey', 'webhookEndpoint'].includes(name))

const isReference = (field: Field) => field.references !== undefined && field.name !== 'companyId'
/** The columns in which a reference to the second company is planted, and those in which none can be. */
export const REFERENCE_COLUMNS = {
  planted: OWN_KINDS.flatMap((kind) => columnsOf(kind, (field) => field.owner !== true)),
  // Ownership has foreign keys, so it cannot point to another company.
  owners: OWN_KINDS.flatMap((kind) => [
    ...columnsOf(kind, (field) => field.owner === true),
    ...(kind.children === null ? [] : [`${kind.children.table.name}.${kind.children.parentColumn}`]),
  ]),
}

function columnsOf(kind: Kind, isIncluded: (field: Field) => boolean): string[] {
  return [kind, kind.children].flatMap((part) =>
    part === null
      ? []
      : part.shape.fields
          .filter((field) => isReference(field) && isIncluded(field))
          .map(({ column }) => `${part.table.name}.${column}`),
  )
}

/** Returns the target id of a reference. */
type Targets = (field: Field) => string

const toFirst: Targets = ({ references }) => `${references}_1`

/**
 * The optional fields of a record: all, all except texts (some replace values of a referenced record), one field, or none. Fields
 * that hide a record are never set.
 */
type Fullness = 'full' | 'no texts' | Field | null

function has(field: Field, fullness: Fullness): boolean {
  if (/^(archived|deleted)At$/.test(field.name)) return false
  if (field.required === true || field.exactlyWith !== undefined || fullness === 'full') return true
  return fullness === 'no texts' ? field.type !== text : field === fullness
}

/** A different revision number for each id, because numbers are unique in a quote. */
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

/** One partial record for each value of the field on which other fields depend, such as the kind of a line. */
function gatesOf(kind: Kind): TestRecord[] {
  const gate = kind.shape.fields.find(({ exactlyWith }) => exactlyWith !== undefined)?.exactlyWith?.field
  const values = kind.shape.byName.get(gate ?? '')?.field.type.values
  return gate === undefined || values === undefined ? [{}] : values.map((value) => ({ [gate]: value }))
}

/** Records with valid references: one for each kind and gate, such as `quote_1`. */
function validRecords(company: Company): TestRecord[] {
  return OWN_KINDS.flatMap((kind) =>
    gatesOf(kind).map((gate, i) => recordOf(kind, company, `${kind.name}_${i + 1}`, gate, toFirst)),
  )
}

/** The gate that a record needs to have the field. */
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

/** For each reference, a record in which only this one points to the second company. Also with a minimal owner. */
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

/** Records that refer to the planted ones, so that expansions reach them. */
function referringRecords(company: Company): TestRecord[] {
  return OWN_KINDS.flatMap((kind) =>
    allReferencesOf(kind).flatMap((referring) => {
      const target = OWN_KINDS.find(({ name }) => name === referring.references)
      const ids =
        target === undefined ? [] : referencesOf(target).map((planted) => plantedId(target, planted))
      return ids.map((id) =>
        recordOf(
          kind,
          company,
          `${kind.name}_to_${id}`,
          gateFor(kind, referring),
          (field) => (field === referring ? id : toFirst(field)),
          referring,
        ),
      )
    }),
  )
}

/** One record of each kind with only the required fields. */
function minimalRecords(company: Company): TestRecord[] {
  return OWN_KINDS.map((kind) =>
    recordOf(kind, company, `${kind.name}_bare`, gatesOf(kind)[0] ?? {}, toFirst, null),
  )
}

function companyData(company: Company): TestRecord[] {
  return [validRecords, minimalRecords, plantedRecords, referringRecords].flatMap((make) => make(company))
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

/** The same ids, the `x_…` targets of the first company, and more records that refer to ids of both companies. */
export function recordsOfTheirs(): TestRecord[] {
  const first = (prefix: string) =>
    OWN_KINDS.map((kind) => recordOf(kind, THEIRS, `${prefix}_${kind.name}`, gatesOf(kind)[0] ?? {}, toFirst))
  return [...companyRecords(THEIRS), ...companyData(THEIRS), ...first('x'), ...first('only_theirs')]
}
