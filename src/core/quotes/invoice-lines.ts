/** The lines of an invoice for a whole quote: everything that counts in its price, before discounts and tax. */
import type { PriceBreakdown } from '../pricing/price-quote.ts'
import { lineKey, linePriceCents } from './quote-edit.ts'
import type { Catalog, QuoteContent, QuoteLine } from './quote-edit.ts'

export interface InvoiceLine {
  description: string
  quantity: number
  /** Null if the amount is not quantity times unit price, as for a price per hour or guest. */
  unitPriceCents: number | null
  amountCents: number
}

const FEES = { BASE: 'Base fee', TRAVEL: 'Travel fee' } as const

export function invoiceLines(
  { lines, serviceDays }: Pick<QuoteContent, 'lines' | 'serviceDays'>,
  catalog: Catalog,
  price: PriceBreakdown,
): InvoiceLine[] {
  const counted = new Set(price.lines.map(({ id }) => id))
  const dayNumbers = new Map(serviceDays.map(({ id }, index) => [id, index + 1]))
  const nameOf = (line: QuoteLine) => {
    const number = serviceDays.length > 1 ? dayNumbers.get(line.serviceDayId ?? '') : undefined
    return number === undefined ? lineText(line, catalog) : `Day ${number}: ${lineText(line, catalog)}`
  }
  return [
    ...lines
      .filter((line, index) => counted.has(lineKey(line, index)))
      .map((line) => ({
        description: nameOf(line),
        quantity: Number(line.quantity),
        unitPriceCents: unitPriceOf(line),
        amountCents: line.priceCents,
      })),
    ...price.fees
      .filter(({ grossCents }) => grossCents > 0)
      .map(({ kind, grossCents }) => fixed(FEES[kind], grossCents)),
    ...price.serviceCharges
      .filter(({ amountCents }) => amountCents > 0)
      .map(({ id, amountCents }) => {
        const charge = catalog.serviceCharges.find((one) => one.id === id)
        return fixed(charge?.name ?? 'Service charge', amountCents)
      }),
  ]
}

const fixed = (description: string, amountCents: number): InvoiceLine => ({
  description,
  quantity: 1,
  unitPriceCents: null,
  amountCents,
})

function unitPriceOf({ quantity, unitPriceCents, priceCents }: QuoteLine): number | null {
  if (unitPriceCents === null) return null
  return linePriceCents(quantity, unitPriceCents) === priceCents ? unitPriceCents : null
}

/** The item, and below it the description. */
function lineText({ kind, serviceId, addonId, description }: QuoteLine, catalog: Catalog): string {
  const items = kind === 'SERVICE' ? catalog.services : catalog.addons
  const item = kind === 'CUSTOM' ? undefined : items.find(({ id }) => id === (serviceId ?? addonId))
  const texts = [item?.name, description].filter((text) => text !== undefined && text !== null)
  return texts.filter((text) => text.trim() !== '').join('\n') || 'Line'
}
