/** The price of a choice of options, as the browser calculates it from the parts that the page contains. */
import { priceQuote } from '../pricing/price-quote.ts'
import type { PriceBreakdown } from '../pricing/price-quote.ts'
import type { PricingInput } from '../pricing/price-total.ts'
import { chooseLines } from './customer-choices.ts'
import type { Option } from './quote-options.ts'

/** `input` has its lines in the order of the options. `chosen` are their positions. */
export function priceChoice(
  input: PricingInput,
  options: readonly Option[],
  chosen: Iterable<number>,
): PriceBreakdown {
  const lines = chooseLines(options, chosen)
  return priceQuote({
    ...input,
    lines: input.lines.map((line, i) => ({ ...line, deleted: lines[i]?.selected !== true })),
  })
}
