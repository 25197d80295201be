/**
 * The script of the quote page: updates the figures when the customer chooses an option. The server calculates them again with the
 * same function before it accepts anything.
 */
import { moneyFormat } from '../../src/core/document-formats.ts'
import { priceChoice } from '../../src/core/quotes/choice-price.ts'
import { figuresOf } from '../../src/core/quotes/offer-figures.ts'
import type { Option } from '../../src/core/quotes/quote-options.ts'
import type { PricingInput } from '../../src/core/pricing/price-total.ts'

interface QuoteData {
  /** Its lines are in the order of the options. */
  input: PricingInput
  options: Option[]
  locale: string
}

const { input, options, locale } = JSON.parse(
  document.querySelector('#quote-data')?.textContent ?? '',
) as QuoteData
const money = moneyFormat(locale, input.currency)
const inputs = [...document.querySelectorAll<HTMLInputElement>('.option input')]
const shown = document.querySelector<HTMLInputElement>('input[name=shown]')
const pdf = document.querySelector<HTMLAnchorElement>('.tools a')

function update(): void {
  const chosen = inputs.filter(({ checked }) => checked).map(({ value }) => Number(value))
  const price = priceChoice(input, options, chosen)
  for (const [key, cents] of Object.entries(figuresOf(price))) {
    for (const element of document.querySelectorAll(`[data-figure="${key}"]`)) {
      element.textContent = money(cents)
    }
  }
  const positions = chosen.toSorted((a, b) => a - b).join(',')
  if (shown !== null) shown.value = positions
  if (pdf !== null) pdf.search = `?choices=${positions}`
}

for (const element of inputs) element.addEventListener('change', update)
// The button that asks the server for the total is for browsers without scripts.
document.documentElement.classList.add('script')
// Browsers keep choices when a page is reloaded.
update()
