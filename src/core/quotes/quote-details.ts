/** The members of a quote that describe the event, and its days. The editor saves them together with the lines. */
import { z } from 'zod'
import { isPossibleId, isStorableText } from '../ids.ts'
import { cutToMilliseconds, parseDateTime } from '../schedule/datetime.ts'

export const DAYS_MAX = 100
const COUNT_MAX = 2 ** 31 - 1
const COUNT_MESSAGE = 'Enter a whole number from 0 to 2,147,483,647.'

export const Id = z.string().refine(isPossibleId, 'This is not an id.')
export const StorableText = z
  .string()
  .refine(isStorableText, 'This text has a character that cannot be stored.')

const Count = z.int(COUNT_MESSAGE).min(0, COUNT_MESSAGE).max(COUNT_MAX, COUNT_MESSAGE)
const OptionalText = StorableText.nullable()

/** Each is a column of the same name. */
export const DETAILS = {
  leadId: Id,
  locationId: Id,
  eventTypeId: Id.nullable(),
  eventAddress: StorableText.min(1, 'Enter the address of the event.'),
  eventDescription: OptionalText,
  siteContactName: OptionalText,
  siteContactPhone: OptionalText,
  entityToInvoice: OptionalText,
  guestCount: Count,
  numberOfStaff: Count,
  numberOfResources: Count,
  paymentTermsId: Id.nullable(),
  contractId: Id.nullable(),
}

const TIME_MESSAGE = 'Send a date-time such as 2026-05-01T09:30:00Z.'

/** ISO 8601 in UTC with milliseconds, as it is stored. */
export const Time = z.string().transform((text, context) => {
  const instant = parseDateTime(text)
  if (instant !== null) return cutToMilliseconds(instant)
  context.addIssue({ code: 'custom', message: TIME_MESSAGE })
  return z.NEVER
})

/** A new day has an id that no stored day of the quote has. It gets its own when it is stored. */
export const Day = z.strictObject({ id: Id, serviceStartTime: Time, serviceEndTime: Time })

export type ServiceDay = z.output<typeof Day>
