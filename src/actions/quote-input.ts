/** The members of a quote that can be written, its days and its lines. */
import { z } from 'zod'
import { bodyShape } from '../codec/body-schema.ts'
import { LINE_KINDS } from '../core/enumerations.ts'
import { DAYS_MAX } from '../core/quotes/quote-details.ts'
import { LINES_MAX, MONEY_MAX_CENTS, linePriceCents } from '../core/quotes/quote-edit.ts'
import { parseDateTime } from '../core/schedule/datetime.ts'
import { LINE_ITEM_COLUMNS } from '../records/line-item/columns.ts'
import { QUOTE_COLUMNS } from '../records/quote/columns.ts'
import { SERVICE_DAY_COLUMNS } from '../records/service-day/columns.ts'
import { LeadInput, hasContact } from './lead-input.ts'

const MEMBERS = bodyShape(
  QUOTE_COLUMNS,
  'leadId',
  'locationId',
  'eventAddress',
  'eventTypeId',
  'guestCount',
  'numberOfStaff',
  'numberOfResources',
  'eventDescription',
  'siteContactName',
  'siteContactPhone',
  'entityToInvoice',
  'expiresAt',
  'discountId',
  'taxRateId',
  'paymentTermsId',
  'contractId',
  'serviceChargeIds',
  'baseFeeCents',
  'travelFeeCents',
)

export const QuoteChangesInput = z.strictObject(MEMBERS).meta({ id: 'QuoteChangesBody' })
export type QuoteChangesInput = z.output<typeof QuoteChangesInput>

const LINE = bodyShape(
  LINE_ITEM_COLUMNS,
  'kind',
  'serviceId',
  'addonId',
  'description',
  'quantity',
  'unitPriceCents',
  'priceCents',
  'taxable',
  'discountId',
)

/** Runs also if another member is invalid, so that the first error of the body is reported. */
const ALWAYS = {
  when: ({ value }: { value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
}

const NO_OBJECT = 'must be an object'

const isTime = (value: unknown) => typeof value === 'string' && parseDateTime(value) !== null

const ITEMS = [
  ['SERVICE', 'serviceId'],
  ['ADDON', 'addonId'],
] as const

const Line = z
  .strictObject({ ...LINE, kind: LINE.kind.unwrap() }, NO_OBJECT)
  .superRefine((line, context) => {
    for (const [kind, name] of ITEMS) {
      if (!LINE_KINDS.includes(line.kind) || (line.kind === kind) === ((line[name] ?? null) !== null))
        continue
      const message = `is only for a line of the kind ${kind}, which must have it`
      context.addIssue({ code: 'custom', path: [name], message })
    }
    if (line.priceCents !== undefined) return
    const { quantity = '1', unitPriceCents: unit = null } = line
    if (unit === null) {
      // A line from the catalog has the price of its item.
      if (line.kind === 'SERVICE' || line.kind === 'ADDON') return
      context.addIssue({ code: 'custom', path: ['priceCents'], message: 'is required' })
    } else if (
      typeof unit === 'number' &&
      Number.isSafeInteger(unit) &&
      unit >= 0 &&
      priceOf(quantity, unit) === null
    ) {
      const message = `times the quantity must be at most ${MONEY_MAX_CENTS}`
      context.addIssue({ code: 'custom', path: ['unitPriceCents'], message })
    }
  }, ALWAYS)
  .meta({ id: 'QuoteLineBody' })

const priceOf = (quantity: unknown, unit: number) =>
  typeof quantity === 'string' ? linePriceCents(quantity, unit) : 0

const Lines = z
  .array(Line, 'must be an array')
  .max(LINES_MAX, `must have at most ${LINES_MAX} lines`)
  .optional()

export type LineInput = z.output<typeof Line>

const { serviceStartTime, serviceEndTime } = bodyShape(
  SERVICE_DAY_COLUMNS,
  'serviceStartTime',
  'serviceEndTime',
)

const Day = z
  .strictObject(
    {
      serviceStartTime: serviceStartTime.unwrap(),
      serviceEndTime: serviceEndTime.unwrap(),
      lines: Lines,
    },
    NO_OBJECT,
  )
  .refine(
    ({ serviceStartTime: start, serviceEndTime: end }) => !(isTime(start) && isTime(end) && start >= end),
    {
      ...ALWAYS,
      path: ['serviceEndTime'],
      message: 'must be after serviceStartTime',
    },
  )
  .meta({ id: 'QuoteDayBody' })

export const NewQuoteInput = z
  .strictObject({
    lead: LeadInput.optional(),
    ...MEMBERS,
    locationId: MEMBERS.locationId.unwrap(),
    eventAddress: MEMBERS.eventAddress.unwrap(),
    ...bodyShape(QUOTE_COLUMNS, 'currency'),
    serviceDays: z
      .array(Day, 'must be an array')
      .max(DAYS_MAX, `must have at most ${DAYS_MAX} days`)
      .optional(),
    lines: Lines,
  })
  .superRefine((quote, context) => {
    const { lead, leadId } = quote
    const fail = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (lead === undefined && leadId === undefined) fail('leadId', 'is required')
    if (lead !== undefined && leadId !== undefined) fail('lead', 'cannot be sent together with leadId')
    if (lead instanceof Object && !hasContact(lead)) {
      fail('lead', `must have at least one of ${Object.keys(LeadInput.shape).join(', ')}`)
    }
    if (countLines(quote) > LINES_MAX) {
      const name = quote.lines === undefined ? 'serviceDays' : 'lines'
      fail(name, `must not bring the quote to more than ${LINES_MAX} lines`)
    }
  }, ALWAYS)
  .meta({ id: 'NewQuoteBody' })

export type NewQuoteInput = z.output<typeof NewQuoteInput>

function countLines({ serviceDays, lines }: Pick<NewQuoteInput, 'serviceDays' | 'lines'>): number {
  const lists: unknown[] = [
    lines,
    ...(Array.isArray(serviceDays) ? serviceDays.map((day) => day?.lines) : []),
  ]
  return lists.reduce<number>((count, list) => count + (Array.isArray(list) ? list.length : 0), 0)
}
