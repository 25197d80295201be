/** Lines of a package in words. */
import type { PackageLine } from './quotes/quote-choices.ts'

export type NamedLine = Pick<PackageLine, 'serviceId' | 'addonId' | 'description' | 'quantity'>

/** `2 × Oat milk` for each line. `items` are the services and add-ons that the lines name. */
export function packageLineTexts(
  lines: readonly NamedLine[],
  items: readonly { id: string; name: string }[],
  formatQuantity: (quantity: number) => string,
): string[] {
  const names = new Map(items.map(({ id, name }) => [id, name]))
  return lines.map(({ serviceId, addonId, description, quantity }) => {
    const name = names.get(serviceId ?? addonId ?? '') ?? description ?? 'No longer in the catalog'
    return quantity === 1 ? name : `${formatQuantity(quantity)} × ${name}`
  })
}

interface Formats {
  amount: (cents: number) => string
  quantity: (quantity: number) => string
}

/** With everything that sets a line apart: `2 × Oat milk (5.00 USD, optional, not selected)`. */
export function packageLineDetails(
  lines: readonly Partial<PackageLine>[],
  items: readonly { id: string; name: string }[],
  formats: Formats,
): string[] {
  // Stored lines can have fewer members.
  const named = lines.map((line) => ({ ...PLAIN_LINE, ...line }))
  const texts = packageLineTexts(named, items, formats.quantity)
  return lines.map((line, i) => {
    const facts = factsOf(line, formats)
    return facts.length === 0 ? `${texts[i]}` : `${texts[i]} (${facts.join(', ')})`
  })
}

const PLAIN_LINE: NamedLine = { serviceId: null, addonId: null, description: null, quantity: 1 }

function factsOf(line: Partial<PackageLine>, { amount }: Formats): string[] {
  const { kind, description, unitPriceCents, taxable, optional, selected, optionGroup } = line
  const isGrouped = typeof optionGroup === 'string'
  const choice = selected === false ? 'not selected' : 'selected'
  return [
    kind === 'CUSTOM' ? '' : (description ?? ''),
    typeof unitPriceCents === 'number' ? amount(unitPriceCents) : '',
    taxable === false ? 'not taxable' : '',
    isGrouped ? `alternative of ${optionGroup}, ${choice}` : optional === true ? `optional, ${choice}` : '',
  ].filter((fact) => fact !== '')
}
