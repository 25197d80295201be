/** Reads the content of a quote from what is typed. */
import { QUANTITY_MESSAGE, isQuantity, plainQuantity } from '../../../src/core/quotes/quote-edit.ts'
import type { QuoteContent } from '../../../src/core/quotes/quote-edit.ts'
import { parseMoney } from '../format.ts'
import type { Draft } from './draft.ts'
import { readDays, readDetails } from './draft-details.ts'
import type { Problems } from './draft-details.ts'
import { parseQuantity } from './quantity.ts'
import { moneyMessage } from './typed-money.ts'

export interface ReadDraft {
  /** Invalid fields count as zero. */
  content: QuoteContent
  /** The keys of its lines, in their order. */
  keys: string[]
  problems: Problems
}

export function readDraft({ currency, timeZone, details, days, lines, terms }: Draft): ReadDraft {
  const problems: Problems = {}
  const money = (field: string, text: string): number => {
    const cents = parseMoney(text, currency)
    if (cents !== null) return cents
    const isMissing = text.trim() === ''
    problems[field] = { isMissing, message: isMissing ? 'Enter an amount.' : moneyMessage(currency) }
    return 0
  }
  const kept = lines.filter(({ isRemoved }) => !isRemoved)
  const { baseFee, travelFee, ...others } = terms
  const content: QuoteContent = {
    ...readDetails(details, problems),
    serviceDays: readDays(days, timeZone, problems),
    lines: kept.map((line) => {
      const {
        key,
        unitPrice,
        price,
        isPriceTyped: _typed,
        pieces: _pieces,
        isRemoved: _removed,
        ...stored
      } = line
      const quantity = parseQuantity(line.quantity)
      if (!isQuantity(quantity)) {
        problems[`${key}.quantity`] = {
          isMissing: quantity === '',
          message: quantity === '' ? 'Enter a quantity.' : QUANTITY_MESSAGE,
        }
      }
      return {
        ...stored,
        quantity: isQuantity(quantity) ? plainQuantity(quantity) : '0',
        unitPriceCents: unitPrice.trim() === '' ? null : money(`${key}.unitPrice`, unitPrice),
        priceCents: money(`${key}.price`, price),
      }
    }),
    ...others,
    baseFeeCents: money('baseFee', baseFee),
    travelFeeCents: money('travelFee', travelFee),
  }
  return { content, keys: kept.map(({ key }) => key), problems }
}
