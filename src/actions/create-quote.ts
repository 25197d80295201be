/** Creates a quote with its days and lines, and its lead if the quote is for a new one. */
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { catalogPrice } from '../core/pricing/catalog-price.ts'
import type { Occasion } from '../core/pricing/catalog-price.ts'
import { linePriceCents, plainQuantity } from '../core/quotes/quote-edit.ts'
import type { CatalogItem, QuoteLine } from '../core/quotes/quote-edit.ts'
import { ApiError } from '../core/requests/errors.ts'
import { readItems } from '../records/catalog/queries.ts'
import { findCurrency, findQuoteDefaults } from '../records/company/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { insertLead } from './create-lead.ts'
import { insertQuote } from './insert-quote.ts'
import { NewQuoteInput } from './quote-input.ts'
import type { LineInput } from './quote-input.ts'
import { checkReferences } from './references.ts'

const Creation = NewQuoteInput.safeExtend({
  /** The company's tax rate, terms, contract and charges, where the input has none. */
  withDefaults: z.literal(true).optional(),
})

export const createQuote = defineAction({
  name: 'createQuote',
  allowed: USERS_AND_KEYS,
  input: Creation,
  lock: 'first',
  run: async (transaction, { withDefaults, ...input }) => {
    const { db, companyId } = transaction
    const currency = input.currency ?? (await findCurrency(db, companyId))
    await checkReferences(transaction, input, { currency })
    const { lead, leadId, serviceDays = [], lines = [], ...members } = input
    const days = serviceDays.map((day) => ({ ...day, id: newId('day') }))
    const occasion = { currency, guestCount: input.guestCount ?? 0, days }
    const sent = [
      ...days.flatMap(({ id, lines: ofDay = [] }, day) =>
        ofDay.map((line, i) => ({ line, dayId: id, param: `serviceDays[${day}].lines[${i}]` })),
      ),
      ...lines.map((line, i) => ({ line, dayId: null, param: `lines[${i}]` })),
    ]
    const priced = await priceLines(transaction, sent, occasion)
    const defaults = withDefaults === true ? await findQuoteDefaults(db, companyId, currency) : {}
    return insertQuote(transaction, {
      members: {
        ...defaults,
        ...members,
        currency,
        leadId: leadId ?? (await insertLead(transaction, lead ?? {})).id,
      },
      serviceDays: days.map(({ lines: _lines, ...day }) => day),
      lines: priced,
    })
  },
})

interface SentLine {
  line: LineInput
  dayId: string | null
  param: string
}

/** A line from the catalog without a price costs what the catalog says. */
async function priceLines(
  { db, companyId }: ActionTransaction,
  sent: readonly SentLine[],
  occasion: Occasion,
): Promise<QuoteLine[]> {
  const ids = {
    services: sent.flatMap(({ line }) => line.serviceId ?? []),
    addons: sent.flatMap(({ line }) => line.addonId ?? []),
  }
  if (ids.services.length + ids.addons.length === 0)
    return sent.map((one) => newLine(one, undefined, occasion))
  const { services, addons } = await readItems(db, companyId, ids, 'some')
  const service = new Map(services.map((item) => [item.id, item]))
  const addon = new Map(addons.map((item) => [item.id, item]))
  return sent.map((one) => {
    const { kind, serviceId, addonId } = one.line
    const item = kind === 'SERVICE' ? service.get(serviceId ?? '') : addon.get(addonId ?? '')
    return newLine(one, item, occasion)
  })
}

function newLine(
  { line, dayId, param }: SentLine,
  item: CatalogItem | undefined,
  occasion: Occasion,
): QuoteLine {
  const figures =
    figuresOf(line) ?? (item && catalogPrice(item, occasion, { pieces: line.quantity ?? '1', dayId }))
  if (figures === undefined || figures === null) {
    const name = `${param}.priceCents`
    const message = `${name} is required: the catalog has no usable price in ${occasion.currency}`
    throw new ApiError('invalid_parameter', { message, param: name })
  }
  return {
    id: null,
    serviceDayId: dayId,
    kind: line.kind,
    serviceId: line.serviceId ?? null,
    addonId: line.addonId ?? null,
    description: line.description ?? null,
    ...figures,
    taxable: line.taxable ?? item?.taxable ?? true,
    discountId: line.discountId ?? null,
    optional: false,
    selected: true,
    optionGroup: null,
  }
}

/** Null without a price. */
function figuresOf({ quantity = '1', unitPriceCents = null, priceCents }: LineInput) {
  const price = priceCents ?? (unitPriceCents === null ? null : linePriceCents(quantity, unitPriceCents))
  return price === null ? null : { quantity: plainQuantity(quantity), unitPriceCents, priceCents: price }
}
