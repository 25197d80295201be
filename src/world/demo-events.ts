import type { Catalogue } from './demo-catalogue.ts'
import { ARCHIVED } from './demo-catalogue-terms.ts'
import {
  DRESS_CODES,
  LOCATION_INFO,
  OWN_EVENTS,
  PARKING_INFO,
  SPECIAL_NOTES,
  TASK_TEXTS,
} from './demo-event-texts.ts'
import { nameOfLead } from './demo-leads.ts'
import type { DayEntry, QuoteBundle } from './demo-quotes.ts'
import { namedId } from './demo-plan.ts'
import { Random } from './demo-random.ts'
import { type RecordOf, type WorldRecord, present } from './demo-records.ts'
import { ANCHOR, DAY, HOUR, iso, localTime, pastOnly } from './demo-times.ts'

/** More people or things than these are not assigned to one event, however large it is. */
const MOST_STAFF = 6

/** What is served on the day: its own lines and those of the whole event. */
function itemIds({ lines }: QuoteBundle, { record: { id } }: DayEntry, kind: 'SERVICE' | 'ADDON'): string[] {
  const ids = new Set<string>()
  for (const { record, item } of lines) {
    if (record.kind !== kind || item === null || record.deletedAt !== undefined) continue
    if (record.serviceDayId === undefined || record.serviceDayId === id) ids.add(item.record.id)
  }
  return [...ids]
}

function eventName({ lead, eventType, days }: QuoteBundle, dayIndex: number): string {
  const client = lead.lastName ?? lead.companyName ?? lead.firstName
  const name = client === undefined ? eventType.text.name : `${client}: ${eventType.text.name}`
  return days.length === 1 ? name : `${name}, day ${dayIndex + 1} of ${days.length}`
}

/** The event of one service day. */
export function eventOf(
  catalogue: Catalogue,
  bundle: QuoteBundle,
  booking: RecordOf<'booking'>,
  day: DayEntry,
  dayIndex: number,
): RecordOf<'event'> {
  const { number, random, quote, lead, place, days, guestCount } = bundle
  // People who have left since were there at earlier events.
  const team = day.start < ARCHIVED ? catalogue.staff : catalogue.activeStaff
  const staff = random.sample(team, Math.min(MOST_STAFF, quote.numberOfStaff))
  const resources = random.sample(place.resources, quote.numberOfResources)
  const at = booking.createdAt
  return present<RecordOf<'event'>>({
    object: 'event',
    id: `event_${number}_${dayIndex + 1}`,
    companyId: catalogue.plan.id,
    bookingId: booking.id,
    locationId: quote.locationId,
    name: eventName(bundle, dayIndex),
    clientName: nameOfLead(lead),
    clientEmail: lead.email,
    clientPhone: lead.phone,
    siteContactName: quote.siteContactName,
    siteContactPhone: quote.siteContactPhone,
    eventDescription: quote.eventDescription,
    eventAddress: quote.eventAddress,
    additionalLocationInfo: random.maybe(0.4, LOCATION_INFO),
    specialNotes: random.maybe(0.3, SPECIAL_NOTES),
    parkingLoadingInfo: random.maybe(0.5, PARKING_INFO),
    staffDressCode: random.maybe(0.8, DRESS_CODES),
    serviceStartTime: day.record.serviceStartTime,
    serviceEndTime: day.record.serviceEndTime,
    shiftStartTime: iso(day.start - 1.5 * HOUR),
    shiftEndTime: iso(day.end + HOUR),
    staffNumber: quote.numberOfStaff,
    resourceNumber: quote.numberOfResources,
    guestCount,
    multiDay: days.length > 1,
    outdoors: random.chance(0.35),
    tipJarAllowed: random.chance(0.4),
    serviceIds: itemIds(bundle, day, 'SERVICE'),
    addonIds: itemIds(bundle, day, 'ADDON'),
    staffIds: staff.map(({ id }) => id),
    resourceIds: resources.map(({ id }) => id),
    createdAt: at,
    updatedAt: at,
  })
}

/** The checklist of an event: mostly ticked off when the event is over, mostly not before. */
export function* tasksOf(event: RecordOf<'event'>, random: Random): Generator<RecordOf<'task'>> {
  const start = Date.parse(event.serviceStartTime)
  const created = Date.parse(event.createdAt)
  const first = random.int(0, TASK_TEXTS.length - 1)
  const count = random.pick([0, 0, 1, 1, 2])
  for (let index = 0; index < count; index++) {
    const due = Math.max(created + DAY, start - random.int(1, 12) * DAY)
    const isDone = random.chance(start < ANCHOR ? 0.85 : 0.2)
    const completedAt = isDone ? iso(Math.max(created, pastOnly(due - random.int(1, 30) * HOUR))) : undefined
    yield present<RecordOf<'task'>>({
      object: 'task',
      id: `task_${event.id.replace('event_', '')}_${index + 1}`,
      companyId: event.companyId,
      eventId: event.id,
      description: TASK_TEXTS[(first + index * 5) % TASK_TEXTS.length] ?? '',
      dueDate: random.chance(0.8) ? iso(due) : undefined,
      completedAt,
      createdAt: event.createdAt,
      updatedAt: completedAt ?? event.createdAt,
    })
  }
}

/** Days in the calendar that belong to no booking. */
export function* ownEvents(catalogue: Catalogue): Generator<WorldRecord> {
  const { plan, seed, places, activeStaff } = catalogue
  const random = new Random(`${seed}/${plan.id}/own-events`)
  for (const [index, [name, eventDescription]] of OWN_EVENTS.entries()) {
    const { place, location } = random.pick(places)
    const start = localTime(place, ANCHOR + (index * 23 - 30) * DAY, 18)
    const at = iso(pastOnly(start - 20 * DAY))
    const event: RecordOf<'event'> = {
      object: 'event',
      id: namedId(plan, 'event', `own_${index + 1}`),
      companyId: plan.id,
      locationId: location.id,
      name,
      eventDescription,
      serviceStartTime: iso(start),
      serviceEndTime: iso(start + 3 * HOUR),
      staffNumber: 3,
      resourceNumber: 0,
      multiDay: false,
      outdoors: false,
      tipJarAllowed: false,
      serviceIds: [],
      addonIds: [],
      staffIds: random.sample(activeStaff, 3).map(({ id }) => id),
      resourceIds: [],
      createdAt: at,
      updatedAt: at,
    }
    yield event
    yield* tasksOf(event, random)
  }
}
