/**
 * Merges two concurrent edits of a quote: applies the changes of one user to the version of the other. Only changed fields
 * are applied, so that no change of the other user is lost silently.
 */
import { isSameLine } from '../../../src/core/quotes/quote-changes.ts'
import type { ServiceDay } from '../../../src/core/quotes/quote-details.ts'
import { LINE_FIELDS, MEMBER_FIELDS } from '../../../src/core/quotes/quote-edit.ts'
import type { QuoteContent, QuoteLine } from '../../../src/core/quotes/quote-edit.ts'
import { withValidChanges } from '../../../src/core/quotes/quote-options.ts'
import { draftDay, timesOf } from './draft-details.ts'

type ContentField = (typeof MEMBER_FIELDS)[number]
type LineField = (typeof LINE_FIELDS)[number]

/** Fields that only make sense together: who changed one of them decided on all. */
const LINE_GROUPS: readonly (readonly LineField[])[] = [
  ['kind', 'serviceId', 'addonId'],
  ['quantity', 'unitPriceCents', 'priceCents'],
  ['optional', 'selected', 'optionGroup'],
]

interface Versions<Value> {
  base: Value
  mine: Value
  theirs: Value
  /** Which side changed it; both, unless to the same value. */
  by: 'me' | 'them' | 'both'
}

/** Something that is not the same with both: a field of the quote, a day, a field of a line, a line, or the order of lines. */
export type Difference =
  | ({ subject: 'quote'; field: ContentField } & Versions<QuoteContent[ContentField]>)
  | ({ subject: 'day'; id: string } & Versions<ServiceDay | null>)
  | ({ subject: 'order' } & Versions<string>)
  | ({ subject: 'line'; line: QuoteLine; field: LineField } & Versions<QuoteLine[LineField]>)
  | ({ subject: 'presence'; line: QuoteLine } & Versions<boolean>)

interface Three {
  base: QuoteContent
  mine: QuoteContent
  theirs: QuoteContent
}

/** One side of the merge, with the time zone of its location. */
interface Side {
  content: QuoteContent
  timeZone: string | null
}

/**
 * Moves the days of all three into the time zone of the merged location, at the same clock times. A change of the location
 * keeps the clock times, so instants of two locations cannot be compared.
 */
export function alignDays({ base, mine, theirs }: Record<keyof Three, Side>): Three & { timeZone: string } {
  const locationId = pick(base.content.locationId, mine.content.locationId, theirs.content.locationId)
  const { timeZone } = locationId === theirs.content.locationId ? theirs : mine
  const zone = timeZone ?? 'UTC'
  return {
    base: moveDays(base, zone),
    mine: moveDays(mine, zone),
    theirs: moveDays(theirs, zone),
    timeZone: zone,
  }
}

function moveDays({ content, timeZone }: Side, zone: string): QuoteContent {
  const from = timeZone ?? 'UTC'
  if (from === zone) return content
  const move = (day: ServiceDay) => ({ ...day, ...timesOf(draftDay(day, from), zone) })
  return { ...content, serviceDays: content.serviceDays.map(move) }
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
  const members = MEMBER_FIELDS.map((field) => [field, pick(base[field], mine[field], theirs[field])])
  const serviceDays = rebaseDays({ base, mine, theirs })
  const dayIds = new Set(serviceDays.map(({ id }) => id))
  const removedIds = new Set(base.serviceDays.flatMap(({ id }) => (dayIds.has(id) ? [] : id)))
  const lines = orderLines([...stored, ...revived, ...added], { base, mine, theirs }).map((line) =>
    removedIds.has(line.serviceDayId ?? '') ? { ...line, serviceDayId: null } : line,
  )
  return {
    ...(Object.fromEntries(members) as Pick<QuoteContent, ContentField>),
    serviceChargeIds: rebaseIds(base.serviceChargeIds, mine.serviceChargeIds, theirs.serviceChargeIds),
    serviceDays,
    lines: withValidChanges(theirs.lines, lines, ({ id }) => id),
  }
}

/** A day that was removed there and changed by me comes back. */
function rebaseDays({ base, mine, theirs }: Three): ServiceDay[] {
  const [bases, mines, theirDays] = [daysById(base), daysById(mine), daysById(theirs)]
  const stored = theirs.serviceDays.flatMap((their) => {
    const was = bases.get(their.id)
    const my = mines.get(their.id)
    if (was === undefined) return their
    return my === undefined ? [] : isSame(was, my) ? their : my
  })
  const own = mine.serviceDays.filter((my) => !theirDays.has(my.id) && !isSame(bases.get(my.id), my))
  return [...stored, ...own]
}

/** My order, if I changed it. Lines that I do not have come last. */
function orderLines(lines: readonly QuoteLine[], { base, mine, theirs }: Three): QuoteLine[] {
  if (orderOf(mine, base) === orderOf(base, mine)) return [...lines]
  const known = new Set(theirs.lines.map(({ id }) => id))
  const position = new Map(mine.lines.map((line, index) => [line.id ?? line, index]))
  const place = (line: QuoteLine) => {
    const own = line.id !== null && known.has(line.id) ? position.get(line.id) : position.get(line)
    return own ?? mine.lines.length
  }
  return lines.toSorted((a, b) => place(a) - place(b))
}

/** The lines that the other version has, too. */
function orderOf(content: QuoteContent, other: QuoteContent): string {
  const ids = new Set(other.lines.map(({ id }) => id))
  return content.lines.flatMap(({ id }) => (id !== null && ids.has(id) ? id : [])).join('\n')
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
  for (const field of MEMBER_FIELDS) {
    const versions = compare(base[field], mine[field], theirs[field])
    if (versions !== null) differences.push({ subject: 'quote', field, ...versions })
  }
  const days = [daysById(base), daysById(mine), daysById(theirs)] as const
  for (const id of new Set(days.flatMap((byDay) => [...byDay.keys()]))) {
    const [was = null, my = null, their = null] = days.map((byDay) => byDay.get(id))
    const versions = compare<ServiceDay | null>(was, my, their)
    if (versions !== null) differences.push({ subject: 'day', id, ...versions })
  }
  const isMoved = orderOf(mine, theirs) !== orderOf(theirs, mine)
  if (isMoved) {
    const isMine = orderOf(mine, base) !== orderOf(base, mine)
    const order = { base: '', mine: isMine ? 'changed' : '', theirs: isMine ? '' : 'changed' }
    differences.push({ subject: 'order', ...order, by: isMine ? 'me' : 'them' })
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
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b || JSON.stringify(a) === JSON.stringify(b)
  return a.length === b.length && a.every((value) => b.includes(value))
}

function daysById({ serviceDays }: QuoteContent): Map<string, ServiceDay> {
  return new Map(
    serviceDays.map(({ id, serviceStartTime, serviceEndTime }) => [
      id,
      { id, serviceStartTime, serviceEndTime },
    ]),
  )
}

function byId(content: QuoteContent): Map<string | null, QuoteLine> {
  return new Map(content.lines.filter(({ id }) => id !== null).map((line) => [line.id, line]))
}
