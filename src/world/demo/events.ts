import type { Catalog } from './catalog.ts'
import { ARCHIVED } from './catalog-terms.ts'
import {
  DRESS_CODES,
  LOCATION_INFO,
  OWN_EVENTS,
  PARKING_INFO,
  SPECIAL_NOTES,
  TASK_TEXTS,
} from './event-texts.ts'
import { nameOfLead } from './leads.ts'
import type { DayEntry, QuoteBundle } from './quotes.ts'
import { namedId } from './plan.ts'
import { Random } from './random.ts'
import { type RecordOf, type WorldRecord, present } from './records.ts'
import { ANCHOR, DAY, HOUR, iso, localTime, pastOnly } from './times.ts'

/** More people or things than these are not assigned to one event, however large it is. */
const MOST_STAFF = 6

/** The items of the day's lines and of lines without a day. */
function itemIds({ lines }: QuoteBundle, { record: { id } }: DayEntry, kind: 'SERVICE' | 'ADDON'): string[] {
  const ids: string[] = []
  for (const { record, item } of lines) {
    if (record.kind !== kind || item === null || record.deletedAt !== undefined) continue
    const isOfDay = record.serviceDayId === undefined || record.serviceDayId === id
    if (isOfDay && !ids.includes(item.record.id)) ids.push(item.record.id)
  }
  return ids
}

function eventName({ lead, eventType }: QuoteBundle['enquiry']): string {
  const client = lead.lastName ?? lead.companyName ?? lead.firstName
  return client === undefined ? eventType.text.name : `${client}: ${eventType.text.name}`
}

/** The fields that the events of all days share. The others are set per day. */
function commonEvent(
  { plan }: Catalog,
  bundle: QuoteBundle,
  booking: RecordOf<'booking'>,
): RecordOf<'event'> {
  const { enquiry, quote, days } = bundle
  const { random, lead } = enquiry
  return present<RecordOf<'event'>>({
    object: 'event',
    id: '',
    companyId: plan.id,
    bookingId: booking.id,
    locationId: quote.locationId,
    name: '',
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
    serviceStartTime: '',
    serviceEndTime: '',
    shiftStartTime: '',
    shiftEndTime: '',
    staffNumber: quote.numberOfStaff,
    resourceNumber: quote.numberOfResources,
    guestCount: enquiry.guestCount,
    multiDay: days.length > 1,
    outdoors: random.chance(0.35),
    tipJarAllowed: random.chance(0.4),
    serviceIds: [],
    addonIds: [],
    staffIds: [],
    resourceIds: [],
    createdAt: booking.createdAt,
    updatedAt: booking.createdAt,
  })
}

/** One event for each service day, and the tasks of each. */
export function* eventRecords(
  catalog: Catalog,
  bundle: QuoteBundle,
  booking: RecordOf<'booking'>,
): Generator<WorldRecord> {
  const { quote, days } = bundle
  const { number, random, branch } = bundle.enquiry
  const name = eventName(bundle.enquiry)
  const common = commonEvent(catalog, bundle, booking)
  for (const [index, day] of days.entries()) {
    // Former staff worked at earlier events.
    const team = day.start < ARCHIVED ? catalog.staff : catalog.activeStaff
    const staff = random.sample(team, Math.min(MOST_STAFF, quote.numberOfStaff))
    const resources = random.sample(branch.resources, quote.numberOfResources)
    const event: RecordOf<'event'> = {
      ...common,
      id: `event_${number}_${index + 1}`,
      name: days.length === 1 ? name : `${name}, day ${index + 1} of ${days.length}`,
      serviceStartTime: day.record.serviceStartTime,
      serviceEndTime: day.record.serviceEndTime,
      shiftStartTime: iso(day.start - 1.5 * HOUR),
      shiftEndTime: iso(day.end + HOUR),
      serviceIds: itemIds(bundle, day, 'SERVICE'),
      addonIds: itemIds(bundle, day, 'ADDON'),
      staffIds: staff.map(({ id }) => id),
      resourceIds: resources.map(({ id }) => id),
    }
    yield event
    yield* tasksOf(event, day.start, random)
  }
}

/** The checklist of an event: mostly completed for past events, mostly open before. */
function tasksOf(event: RecordOf<'event'>, start: number, random: Random): RecordOf<'task'>[] {
  const first = random.int(0, TASK_TEXTS.length - 1)
  const tasks: RecordOf<'task'>[] = []
  for (let count = random.pick([0, 0, 1, 1, 2]); count > 0; count--) {
    const due = start - random.int(1, 12) * DAY
    const task: RecordOf<'task'> = {
      object: 'task',
      id: `task_${event.id.slice('event_'.length)}_${tasks.length + 1}`,
      companyId: event.companyId,
      eventId: event.id,
      description: TASK_TEXTS[(first + count * 5) % TASK_TEXTS.length] ?? '',
      createdAt: event.createdAt,
      updatedAt: event.createdAt,
    }
    if (random.chance(0.8)) task.dueDate = iso(due)
    if (random.chance(start < ANCHOR ? 0.85 : 0.2)) {
      task.completedAt = iso(pastOnly(due - random.int(1, 30) * HOUR))
      task.updatedAt = task.completedAt
    }
    tasks.push(task)
  }
  return tasks
}

/** Events without a booking. */
export function* ownEvents(catalog: Catalog): Generator<WorldRecord> {
  const { plan, seed, branches, activeStaff } = catalog
  const random = new Random(`${seed}/${plan.id}/own-events`)
  for (const [index, [name, eventDescription]] of OWN_EVENTS.entries()) {
    const { text, location } = random.pick(branches)
    const start = localTime(text, ANCHOR + (index * 23 - 30) * DAY, 18)
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
    yield* tasksOf(event, start, random)
  }
}
