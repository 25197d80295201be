/**
 * Checks the references and options of an edited quote. References it had before stay valid, even to deleted records, and so do
 * options.
 */
import type { FieldErrors } from '../requests/errors.ts'
import { DAYS_MAX } from './quote-details.ts'
import type { ServiceDay } from './quote-details.ts'
import type { Catalog, QuoteLine, QuoteContent } from './quote-edit.ts'
import { findNewOptionErrors } from './quote-options.ts'

interface Definition {
  id: string
  isArchived: boolean
  type?: 'PERCENT' | 'AMOUNT'
  currency?: string | null
}

interface Known {
  catalog: Catalog
  currency: string
}

/** Why it cannot be attached, or null. An amount in another currency would have no effect. */
function attachmentError(
  definitions: readonly Definition[],
  id: string,
  currency: string,
  what: string,
): string | null {
  const found = definitions.find((definition) => definition.id === id)
  if (found === undefined) return `This ${what} does not exist.`
  if (found.isArchived) return `This ${what} is archived. Choose another one.`
  if (found.type === 'AMOUNT' && found.currency !== currency) {
    return `This ${what} is an amount in ${found.currency}, but the quote is in ${currency}.`
  }
  return null
}

/** Errors by field, such as `lines.3.discountId`. */
export function findReferenceErrors(before: QuoteContent, after: QuoteContent, known: Known): FieldErrors {
  const { catalog, currency } = known
  const errors: FieldErrors = {}
  const check = (field: string, error: string | null) => {
    if (error !== null) errors[field] = { _errors: [error] }
  }
  const checkNew = (
    field: string,
    [old, id]: readonly [string | null | undefined, string | null],
    definitions: readonly Definition[],
    what: string,
  ) => {
    if (id !== null && id !== old) check(field, attachmentError(definitions, id, currency, what))
  }
  const oldLines = new Map(before.lines.map((line) => [line.id, line]))
  for (const [index, line] of after.lines.entries()) {
    const field = `lines.${index}`
    const old = line.id === null ? undefined : oldLines.get(line.id)
    if (line.id !== null && old === undefined) check(`${field}.id`, 'This line is not on the quote.')
    checkNew(`${field}.serviceId`, [old?.serviceId, line.serviceId], catalog.services, 'service')
    checkNew(`${field}.addonId`, [old?.addonId, line.addonId], catalog.addons, 'add-on')
    checkNew(`${field}.discountId`, [old?.discountId, line.discountId], catalog.discounts, 'discount')
    check(`${field}.serviceDayId`, serviceDayError(line, old, before, after))
  }
  for (const { index, message } of findNewOptionErrors(before.lines, after.lines, ({ id }) => id)) {
    check(`lines.${index}.selected`, message)
  }
  for (const [index, day] of after.serviceDays.entries()) {
    check(`serviceDays.${index}.serviceEndTime`, dayError(day, before))
  }
  if (after.serviceDays.length > Math.max(DAYS_MAX, before.serviceDays.length)) {
    check('serviceDays', `A quote has at most ${DAYS_MAX} days.`)
  }
  checkNew('discountId', [before.discountId, after.discountId], catalog.discounts, 'discount')
  checkNew('taxRateId', [before.taxRateId, after.taxRateId], catalog.taxRates, 'tax rate')
  for (const [index, id] of after.serviceChargeIds.entries()) {
    const old = before.serviceChargeIds.includes(id) ? id : null
    checkNew(`serviceChargeIds.${index}`, [old, id], catalog.serviceCharges, 'service charge')
  }
  return errors
}

/** A line of a day that is removed must get another day. Imported lines can refer to a day that never existed. */
function serviceDayError(
  { serviceDayId }: QuoteLine,
  old: QuoteLine | undefined,
  before: QuoteContent,
  after: QuoteContent,
): string | null {
  const isOn = ({ serviceDays }: QuoteContent) => serviceDays.some(({ id }) => id === serviceDayId)
  if (serviceDayId === null || isOn(after)) return null
  return serviceDayId === old?.serviceDayId && !isOn(before) ? null : 'This day is not on the quote.'
}

/** Imported days can end before they start. They may stay as they are. */
function dayError(day: ServiceDay, { serviceDays }: QuoteContent): string | null {
  const { serviceStartTime: start, serviceEndTime: end } = day
  const old = serviceDays.find(({ id }) => id === day.id)
  const isSame = old?.serviceStartTime === start && old.serviceEndTime === end
  return end > start || isSame ? null : 'A day must end after it starts.'
}
