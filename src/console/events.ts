/** Events: the agenda, and one event with its relations. */
import { z } from 'zod'
import { countDays, daysOfEvent, doOverlap, instantsOf, isCalendarDay } from '../core/schedule/agenda.ts'
import type { DayRange } from '../core/schedule/agenda.ts'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findBookingOfQuote } from '../records/booking/form.ts'
import { listAgenda, listPlaces } from '../records/event/agenda.ts'
import type { AgendaRow, PlaceRow } from '../records/event/agenda.ts'
import type { Db } from '../db/statement.ts'
import { findEvent } from '../records/event/queries.ts'
import type { EventRow } from '../records/event/queries.ts'
import type { Packed } from '../codec/packed-row.ts'
import type { Presentation } from '../codec/presentation.ts'
import { presentObjects } from '../api/expansion/load.ts'
import { separateInvoices } from './invoices.ts'
import { consoleRoute } from './route.ts'

/** Six weeks: the longest month view. */
const AGENDA_DAYS_MAX = 42

export type AgendaEvent = Omit<AgendaRow, 'timeZone'> & {
  /** The time zone of its location, or the reader's if it has no location. */
  timeZone: string
  days: DayRange
}

export interface AgendaAnswer {
  events: AgendaEvent[]
  /** Whether more events exist. */
  hasMore: boolean
}

export interface PlacesAnswer {
  places: PlaceRow[]
}

export type EventAnswer = Awaited<ReturnType<typeof presentWhole>>

const calendarDay = (name: string) =>
  z.string(`${name} is required`).refine(isCalendarDay, `${name} must be a calendar day, such as 2027-02-15`)

const AgendaInput = z
  .object({
    from: calendarDay('from'),
    to: calendarDay('to'),
    locationId: z.string().optional(),
    /** The reader's, for events without a location. */
    timeZone: z.string().max(64, 'timeZone must be the name of a time zone').optional(),
  })
  .refine(({ from, to }) => isSheet({ first: from, last: to }), {
    path: ['to'],
    message: `to must not be before from, and the range must be at most ${AGENDA_DAYS_MAX} days`,
  })

function isSheet(days: DayRange): boolean {
  const count = countDays(days)
  return count >= 1 && count <= AGENDA_DAYS_MAX
}

const showAgenda = consoleRoute({
  method: 'GET',
  path: '/console/agenda',
  input: AgendaInput,
  answer: async ({ db, companyId, input: { from: first, to: last, locationId, timeZone = 'UTC' } }) => {
    const { from, before } = instantsOf({ first, last })
    const { rows, hasMore } = await listAgenda(db, companyId, from, before, { locationId })
    const events = rows.map((row) => presentAgendaEvent(row, timeZone))
    // The range that was read is a little longer, because days start and end at different times in each zone.
    const shown = events.filter(({ days }) => doOverlap(days, { first, last }))
    return { events: shown, hasMore } satisfies AgendaAnswer
  },
})

function presentAgendaEvent(row: AgendaRow, readerZone: string): AgendaEvent {
  const serviceStartTime = isoFromPostgres(row.serviceStartTime)
  const serviceEndTime = isoFromPostgres(row.serviceEndTime)
  const timeZone = row.timeZone ?? readerZone
  const days = daysOfEvent(serviceStartTime, serviceEndTime, timeZone)
  return { ...row, serviceStartTime, serviceEndTime, timeZone, days }
}

const showPlaces = consoleRoute({
  method: 'GET',
  path: '/console/agenda/places',
  input: z.object({}),
  answer: async ({ db, companyId }) => ({ places: await listPlaces(db, companyId) }) satisfies PlacesAnswer,
})

const showEvent = consoleRoute({
  method: 'GET',
  path: '/console/events/:id',
  input: z.object({}),
  answer: async ({ db, companyId, id, presentation }) => {
    const event = await findEvent(db, companyId, id)
    if (event === null) throw new ApiError('not_found', { message: 'Event not found.', param: 'id' })
    return presentWhole(db, companyId, event, presentation)
  },
})

const PAGE = {
  location: {},
  booking: { eventType: {}, invoices: {} },
  staff: {},
  resources: {},
  services: {},
  addons: {},
} as const

/** With its relations, as the API would expand them. */
async function presentWhole(db: Db, companyId: string, row: Packed<EventRow>, presentation: Presentation) {
  const [expanded] = await presentObjects({ db, companyId, presentation }, 'event', [row], PAGE)
  if (expanded === undefined) throw new Error('an event was not presented')
  const { location, booking: booked, staff, resources, services, addons, ...event } = expanded
  const { booking: withType, invoices } = separateInvoices(booked)
  const quoteId = withType?.quoteId ?? null
  return {
    event,
    location,
    booking: withType === null ? null : withoutType(withType),
    eventType: withType?.eventType?.name ?? null,
    staff,
    resources,
    services,
    addons,
    invoices,
    /** An imported booking can name a quote that does not exist. */
    hasQuote: quoteId !== null && (await findBookingOfQuote(db, companyId, quoteId)) !== undefined,
  }
}

function withoutType<Booking extends { eventType: unknown }>(booking: Booking): Omit<Booking, 'eventType'> {
  const { eventType: _, ...own } = booking
  return own
}

export const eventRoutes = [showAgenda, showPlaces, showEvent]
