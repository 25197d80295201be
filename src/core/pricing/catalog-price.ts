/** The quantity and price that a line from the catalog starts with. */
import type { Unit } from '../enumerations.ts'
import { isQuantity, linePriceCents } from '../quotes/quote-edit.ts'
import { halfUp } from './money.ts'

/** Quantities are calculated in ten-thousandths. */
const SCALE = 10_000n
const HOUR_MS = 3_600_000n

export interface PricedItem {
  /** One per currency. */
  prices: readonly { currency: string; unitPriceCents: number }[]
  unit: Unit
  taxable: boolean
}

/** The parts of a quote that the price of an item can depend on. */
export interface Occasion {
  currency: string
  guestCount: number
  days: readonly { id: string; serviceStartTime: string; serviceEndTime: string }[]
}

/** How often the unit price applies to one piece of the item, on a day or for the whole event: its hours, guests or days. */
export function unitsOf(unit: Unit, { guestCount, days }: Occasion, dayId: string | null): string {
  return decimalOf(scaledUnits(unit, guestCount, onDay(days, dayId)))
}

/** Lines of a day that the quote does not have belong to the whole event. */
function onDay(days: Occasion['days'], dayId: string | null): Occasion['days'] {
  const own = days.filter(({ id }) => id === dayId)
  return own.length === 0 ? days : own
}

function scaledUnits(unit: Unit, guestCount: number, days: Occasion['days']): bigint {
  if (unit === 'GUEST') return BigInt(guestCount) * SCALE
  if (unit === 'DAY') return BigInt(days.length) * SCALE
  return unit === 'HOUR' ? halfUp(totalMs(days), SCALE, HOUR_MS) : SCALE
}

/** Imported days can end before they start. They have no hours. */
function totalMs(days: Occasion['days']): bigint {
  return days.reduce((sum, { serviceStartTime, serviceEndTime }) => {
    const ms = Date.parse(serviceEndTime) - Date.parse(serviceStartTime)
    return ms > 0 ? sum + BigInt(ms) : sum
  }, 0n)
}

/** A number of pieces times the units of each. Null if it is too high for a line. */
export function quantityOf(pieces: string, units: string): string | null {
  const quantity = decimalOf(halfUp(scaled(pieces), scaled(units), SCALE))
  return isQuantity(quantity) ? quantity : null
}

export interface CatalogPrice {
  quantity: string
  unitPriceCents: number
  priceCents: number
}

/** Null without a price in the currency of the quote, or if the price is too high for a line. */
export function catalogPrice(
  item: PricedItem,
  occasion: Occasion,
  { pieces, dayId }: { pieces: string; dayId: string | null },
): CatalogPrice | null {
  const unitPriceCents = item.prices.find(({ currency }) => currency === occasion.currency)?.unitPriceCents
  const quantity = quantityOf(pieces, unitsOf(item.unit, occasion, dayId))
  if (unitPriceCents === undefined || quantity === null) return null
  const priceCents = linePriceCents(quantity, unitPriceCents)
  return priceCents === null ? null : { quantity, unitPriceCents, priceCents }
}

/** A decimal with up to four decimals, in ten-thousandths. */
function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(4, '0'))
}

function decimalOf(scaledValue: bigint): string {
  const fraction = String(scaledValue % SCALE)
    .padStart(4, '0')
    .replace(/0{1,4}$/, '')
  return fraction === '' ? String(scaledValue / SCALE) : `${scaledValue / SCALE}.${fraction}`
}
