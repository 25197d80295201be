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
