/** A revision with a choice of options, as page, PDF and receipt show it. All of them show the figures from here. */
import type { PriceBreakdown } from '../pricing/price-quote.ts'
import { chooseLines, chosenAtFirst, findIncompleteGroup, isChoice } from './customer-choices.ts'
import { chargeKey, figuresOf } from './offer-figures.ts'
import type { QuoteContent, QuoteLine } from './quote-edit.ts'
import { lineKey } from './quote-edit.ts'
import { priceRevision } from './revision.ts'
import type { Revision } from './revision.ts'

export interface OfferLine {
  /** In the revision. */
  position: number
  name: string
  details: string | null
  quantity: string
  unitPriceCents: number | null
  /** Before and after the discount of the line. */
  grossCents: number
  netCents: number
  discountName: string | null
  isSelected: boolean
  isOptional: boolean
  /** The group of alternatives, of which the customer chooses one. */
  group: { number: number; name: string } | null
}

export interface OfferDay {
  /** Null for lines that belong to the whole event. */
  start: string | null
  end: string | null
  lines: OfferLine[]
}

interface OfferFigure {
  key: string
  label: string
  cents: number
  weight: 'part' | 'subtotal' | 'total'
}

export interface Offer {
  days: OfferDay[]
  figures: OfferFigure[]
  totalCents: number
  /** The content with the chosen lines. */
  content: QuoteContent
  price: PriceBreakdown
  hasChoices: boolean
  /** A group of which not exactly one line is chosen. */
  incompleteGroup: string | null
  chosen: number[]
}

/** `chosen` are positions of lines. Without it, the options are as they were sent. */
export function offerOf(
  revision: Revision,
  chosen: readonly number[] = chosenAtFirst(revision.content.lines),
): Offer {
  const lines = chooseLines(revision.content.lines, chosen)
  const price = priceRevision(revision, lines)
  const shown = lines.some((line) => isChoice(line))
  return {
    days: daysOf(revision, offerLines(revision, lines)),
    figures: rowsOf(revision, price),
    totalCents: price.totalCents,
    content: { ...revision.content, lines },
    price,
    hasChoices: shown,
    incompleteGroup: findIncompleteGroup(lines),
    chosen: chosenAtFirst(lines),
  }
}

function offerLines(revision: Revision, lines: readonly QuoteLine[]): OfferLine[] {
  const { catalogue: catalog } = revision
  const names = new Map([...catalog.services, ...catalog.addons].map(({ id, name }) => [id, name]))
  const discounts = new Map(catalog.discounts.map(({ id, name }) => [id, name]))
  // Amounts of a line do not depend on the selection. With all lines selected, every line has them.
  const all = priceRevision(
    revision,
    lines.map((line) => ({ ...line, selected: true })),
  )
  const figures = new Map(all.lines.map((line) => [line.id, line]))
  const groups = [...new Set(lines.flatMap(({ optionGroup }) => optionGroup ?? []))]
  return lines.flatMap((line, position): OfferLine[] => {
    const found = figures.get(lineKey(line, position))
    // Neither lines without a record nor lines that are left out for good are part of the offer.
    if (found === undefined || (!line.selected && !isChoice(line))) return []
    const itemName = names.get(line.serviceId ?? line.addonId ?? '')
    const description = line.description === '' ? null : line.description
    return [
      {
        position,
        name: itemName ?? description ?? 'Other',
        details: itemName === undefined || description === itemName ? null : description,
        quantity: line.quantity,
        unitPriceCents: line.unitPriceCents,
        grossCents: found.grossCents,
        netCents: found.grossCents - found.lineDiscountCents,
        discountName:
          found.lineDiscountCents === 0 ? null : (discounts.get(line.discountId ?? '') ?? 'Discount'),
        isSelected: line.selected,
        isOptional: line.optional && line.optionGroup === null,
        group:
          line.optionGroup === null
            ? null
            : { number: groups.indexOf(line.optionGroup), name: line.optionGroup },
      },
    ]
  })
}

/** Days in their order, then the lines of no day. Days without lines are facts of the event, not part of the list. */
function daysOf({ content }: Revision, lines: readonly OfferLine[]): OfferDay[] {
  const dayIds = new Set(content.serviceDays.map(({ id }) => id))
  const dayOf = ({ position }: OfferLine) => content.lines[position]?.serviceDayId ?? null
  const days = content.serviceDays.map(({ id, serviceStartTime: start, serviceEndTime: end }) => ({
    start,
    end,
    lines: lines.filter((line) => dayOf(line) === id),
  }))
  const others = lines.filter((line) => !dayIds.has(dayOf(line) ?? ''))
  return [...days, { start: null, end: null, lines: others }].filter((day) => day.lines.length > 0)
}

function rowsOf({ content, catalogue: catalog }: Revision, price: PriceBreakdown): OfferFigure[] {
  const figures = figuresOf(price)
  const row = (key: string, label: string, weight: OfferFigure['weight'] = 'part'): OfferFigure => ({
    key,
    label,
    cents: figures[key] ?? 0,
    weight,
  })
  const chargeNames = new Map(catalog.serviceCharges.map(({ id, name }) => [id, name]))
  const discount = catalog.discounts.find(({ id }) => id === content.discountId)
  const taxRate = catalog.taxRates.find(({ id }) => id === content.taxRateId)
  const hasLineDiscounts = content.lines.some(({ discountId }) => discountId !== null)
  const parts = [
    ...(hasLineDiscounts ? [row('lineDiscounts', 'Discounts on lines')] : []),
    ...(content.baseFeeCents > 0 ? [row('baseFee', 'Base fee')] : []),
    ...(content.travelFeeCents > 0 ? [row('travelFee', 'Travel fee')] : []),
  ]
  return [
    ...(parts.length > 0 ? [row('lines', 'Lines'), ...parts] : []),
    row('subtotal', 'Subtotal', 'subtotal'),
    ...(discount === undefined ? [] : [row('discount', discount.name)]),
    ...price.serviceCharges.map(({ id }, i) => row(chargeKey(i), chargeNames.get(id) ?? 'Service charge')),
    ...(taxRate === undefined ? [] : [row('tax', taxRate.name)]),
    row('total', 'Total', 'total'),
  ]
}
