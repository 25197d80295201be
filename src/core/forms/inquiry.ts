/** Reads contact and quote from the answers of a quote form, through their linked fields. */
import { addDays } from '../schedule/agenda.ts'
import { clockAt, instantAt } from '../schedule/local-time.ts'
import { linkedFieldOf } from './question.ts'
import type { LinkedField, Question } from './question.ts'

interface Place {
  id: string
  name: string
  timeZone: string
}

export interface InquiryContext {
  /** The first one counts if the visitor chooses none. */
  locations: readonly Place[]
  eventTypes: readonly { id: string; name: string }[]
  /** ISO 8601. */
  now: string
}

export interface Inquiry {
  lead: {
    firstName: string | null
    lastName: string | null
    email: string | null
    phone: string | null
    companyName: string | null
  }
  /** Null if the company has no location. Then there is no quote. */
  locationId: string | null
  eventTypeId: string | null
  eventAddress: string
  guestCount: number | null
  day: { serviceStartTime: string; serviceEndTime: string } | null
}

const NO_ADDRESS = 'To be confirmed'
/** Without times, the day is a working day; without an end, four hours. */
const FIRST_HOUR = '09:00'
const LAST_HOUR = '17:00'
const USUAL_MS = 4 * 3_600_000

/** `errors` are by question. With any, nothing is created. */
export function readInquiry(
  questions: readonly Question[],
  answers: ReadonlyMap<string, string>,
  { locations, eventTypes, now }: InquiryContext,
): { inquiry: Inquiry; errors: Map<string, string> } {
  const linked = linkedAnswers(questions, answers)
  const text = (field: LinkedField) => linked.get(field)?.text ?? null
  const location = locations.find(({ name }) => name === text('location')) ?? locations[0] ?? null
  const { day, errors } = readDay(linked, location?.timeZone ?? 'UTC', now)
  const guests = text('guestCount')
  return {
    inquiry: {
      lead: {
        ...splitName(text('name')),
        ...(text('firstName') !== null && { firstName: text('firstName') }),
        ...(text('lastName') !== null && { lastName: text('lastName') }),
        email: text('email'),
        phone: text('phone'),
        companyName: text('companyName'),
      },
      locationId: location?.id ?? null,
      eventTypeId: eventTypes.find(({ name }) => name === text('eventType'))?.id ?? null,
      eventAddress: text('eventAddress') ?? NO_ADDRESS,
      guestCount: guests === null ? null : Number(guests),
      day,
    },
    errors,
  }
}

type Linked = ReadonlyMap<LinkedField, { id: string; text: string }>

/** If several questions have the same field, the first answer counts. */
function linkedAnswers(questions: readonly Question[], answers: ReadonlyMap<string, string>): Linked {
  const linked = new Map<LinkedField, { id: string; text: string }>()
  for (const question of questions) {
    const field = linkedFieldOf(question)
    const text = answers.get(question.id)
    if (field !== null && text !== undefined && !linked.has(field))
      linked.set(field, { id: question.id, text })
  }
  return linked
}

/** The last word is the last name. */
export function splitName(name: string | null): { firstName: string | null; lastName: string | null } {
  if (name === null) return { firstName: null, lastName: null }
  const words = name.split(/\s+/)
  const last = words.length > 1 ? (words.at(-1) ?? null) : null
  return { firstName: words.slice(0, last === null ? undefined : -1).join(' '), lastName: last }
}

/** Times are those of the location's clocks. An end that is not after the start is on the next day. */
function readDay(linked: Linked, timeZone: string, now: string) {
  const errors = new Map<string, string>()
  const date = linked.get('eventDate')
  if (date === undefined) return { day: null, errors }
  if (date.text < clockAt(now, timeZone).day) errors.set(date.id, 'Choose a date that is not in the past.')
  const [start, end] = [linked.get('serviceStartTime'), linked.get('serviceEndTime')]
  const from = start?.text ?? (end === undefined || end.text > FIRST_HOUR ? FIRST_HOUR : '00:00')
  const startTime = strictInstant(date.text, from, timeZone)
  if (startTime === null) errors.set((start ?? date).id, SKIPPED)
  const until = end?.text ?? (start === undefined ? LAST_HOUR : null)
  const endTime = until === null ? null : strictInstant(endDay(date.text, from, until), until, timeZone)
  if (until !== null && endTime === null) errors.set((end ?? date).id, SKIPPED)
  if (start !== undefined && end !== undefined && start.text === end.text)
    errors.set(end.id, 'Enter an end that differs from the start.')
  if (errors.size > 0 || startTime === null) return { day: null, errors }
  const serviceEndTime = endTime ?? new Date(Date.parse(startTime) + USUAL_MS).toISOString()
  // Clocks that are set back between the two can put the end before the start.
  if (serviceEndTime <= startTime) {
    errors.set((end ?? date).id, 'Enter an end after the start.')
    return { day: null, errors }
  }
  return { day: { serviceStartTime: startTime, serviceEndTime }, errors }
}

const SKIPPED = 'This time does not exist on that day, because the clocks change.'

const endDay = (day: string, from: string, until: string) => (until > from ? day : addDays(day, 1))

/** Null for a time that clocks skip on that day. */
function strictInstant(day: string, time: string, timeZone: string): string | null {
  const instant = instantAt(day, time, timeZone)
  if (instant === null) return null
  const shown = clockAt(instant, timeZone)
  return shown.day === day && shown.time === time ? instant : null
}
