/**
 * Merges two concurrent edits of a quote: applies the changes of one user to the version of the other. Only changed fields
 * are applied, so that no change of the other user is lost silently.
 */
import { LINE_FIELDS, isSameLine } from '../../../src/core/quotes/quote-changes.ts'
import type { QuoteContent, QuoteLine } from '../../../src/core/quotes/quote-edit.ts'

const CONTENT_FIELDS = [
  'discountId',
  'serviceChargeIds',
  'taxRateId',
  'baseFeeCents',
  'baseFeeTaxable',
  'travelFeeCents',
  'travelFeeTaxable',
] as const satisfies readonly (keyof QuoteContent)[]

type ContentField = (typeof CONTENT_FIELDS)[number]
type LineField = (typeof LINE_FIELDS)[number]

/** Fields that only make sense together: who changed one of them decided on all. */
const LINE_GROUPS: readonly (readonly LineField[])[] = [
  ['kind', 'serviceId', 'addonId'],
  ['quantity', 'unitPriceCents', 'priceCents'],
]

interface Versions<Value> {
  base: Value
  mine: Value
  theirs: Value
  /** Which side changed it; both, unless to the same value. */
  by: 'me' | 'them' | 'both'
}

/** Something that is not the same with both: a field of the quote, a field of a line, or whether there is a line. */
export type Difference =
  | ({ subject: 'quote'; field: ContentField } & Versions<QuoteContent[ContentField]>)
  | ({ subject: 'line'; line: QuoteLine; field: LineField } & Versions<QuoteLine[LineField]>)
  | ({ subject: 'presence'; line: QuoteLine } & Versions<boolean>)

interface Three {
  base: QuoteContent
  mine: QuoteContent
  theirs: QuoteContent
}

/** Applies my changes to the stored quote. A line that was removed there and changed by me comes back as a new line. */
export function rebaseContent({ base, mine, theirs }: Three): QuoteContent {
  const bases = byId(base)
  const mines = byId(mine)
  const theirIds = new Set(theirs.lines.map(({ id }) => id))
  const stored = theirs.lines.flatMap((their) => {
    const was = bases.get(their.id)
    const my = mines.get(their.id)
    if (was === undefined) return their
    return my === undefined ? [] : rebaseLine(was, my, their)
  })
  const revived = mine.lines.flatMap((my) => {
    const was = bases.get(my.id)
    const isRevived = was !== undefined && !theirIds.has(my.id) && !isSameLine(was, my)
    return isRevived ? { ...my, id: null } : []
  })
  const added = mine.lines.filter(({ id }) => id === null)
  return {
    lines: [...stored, ...revived, ...added],
    discountId: pick(base.discountId, mine.discountId, theirs.discountId),
    serviceChargeIds: rebaseIds(base.serviceChargeIds, mine.serviceChargeIds, theirs.serviceChargeIds),
    taxRateId: pick(base.taxRateId, mine.taxRateId, theirs.taxRateId),
    baseFeeCents: pick(base.baseFeeCents, mine.baseFeeCents, theirs.baseFeeCents),
    baseFeeTaxable: pick(base.baseFeeTaxable, mine.baseFeeTaxable, theirs.baseFeeTaxable),
    travelFeeCents: pick(base.travelFeeCents, mine.travelFeeCents, theirs.travelFeeCents),
    travelFeeTaxable: pick(base.travelFeeTaxable, mine.travelFeeTaxable, theirs.travelFeeTaxable),
  }
}

function pick<Value>(base: Value, mine: Value, theirs: Value): Value {
  return mine === base ? theirs : mine
}

function rebaseLine(base: QuoteLine, mine: QuoteLine, theirs: QuoteLine): QuoteLine {
  const mineFields = new Set(LINE_FIELDS.filter((field) => mine[field] !== base[field]))
  for (const group of LINE_GROUPS) {
    if (group.some((field) => mineFields.has(field))) for (const field of group) mineFields.add(field)
  }
  return { ...theirs, ...Object.fromEntries([...mineFields].map((field) => [field, mine[field]])) }
}

/** Each charge for itself: what I added or removed is added to or removed from theirs. */
function rebaseIds(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const kept = theirs.filter((id) => mine.includes(id) || !base.includes(id))
  return [...kept, ...mine.filter((id) => !base.includes(id) && !kept.includes(id))]
}

/** All that is not the same in mine and theirs, the quote's own fields first, then line by line. */
export function listDifferences({ base, mine, theirs }: Three): Difference[] {
  const differences: Difference[] = []
  for (const field of CONTENT_FIELDS) {
    const versions = compare(base[field], mine[field], theirs[field])
    if (versions !== null) differences.push({ subject: 'quote', field, ...versions })
  }
  const [bases, mines, theirLines] = [byId(base), byId(mine), byId(theirs)]
  for (const id of new Set([...bases.keys(), ...mines.keys(), ...theirLines.keys()])) {
    differences.push(...lineDifferences(bases.get(id), mines.get(id), theirLines.get(id)))
  }
  for (const line of mine.lines) {
    if (line.id === null) {
      differences.push({ subject: 'presence', line, base: false, mine: true, theirs: false, by: 'me' })
    }
  }
  return differences
}

function lineDifferences(
  base: QuoteLine | undefined,
  mine: QuoteLine | undefined,
  theirs: QuoteLine | undefined,
): Difference[] {
  const line = mine ?? theirs
  if (line === undefined) return []
  if (mine === undefined || theirs === undefined) {
    const presence = { subject: 'presence', line, base: base !== undefined } as const
    const there = { mine: mine !== undefined, theirs: theirs !== undefined }
    const other = mine ?? theirs
    const isOtherChanged = base !== undefined && other !== undefined && !isSameLine(base, other)
    const remover = mine === undefined && base !== undefined ? 'me' : 'them'
    return [{ ...presence, ...there, by: isOtherChanged ? 'both' : remover }]
  }
  return LINE_FIELDS.flatMap((field): Difference[] => {
    const versions = compare((base ?? theirs)[field], mine[field], theirs[field])
    return versions === null ? [] : [{ subject: 'line', line, field, ...versions }]
  })
}

/** Null when mine and theirs are the same. */
function compare<Value>(base: Value, mine: Value, theirs: Value): Versions<Value> | null {
  if (isSame(mine, theirs)) return null
  const isMine = !isSame(base, mine)
  const isTheirs = !isSame(base, theirs)
  const changer = isMine ? 'me' : 'them'
  return { base, mine, theirs, by: isMine && isTheirs ? 'both' : changer }
}

/** Charges are in no order. */
function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && a.every((value) => b.includes(value))
}

function byId(content: QuoteContent): Map<string | null, QuoteLine> {
  return new Map(content.lines.filter(({ id }) => id !== null).map((line) => [line.id, line]))
}
