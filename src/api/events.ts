/** Events: list and get. */
import { findEvent, listEvents as listRows } from '../records/event/queries.ts'
import { idFilter, timeFilter } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'

const EVENTS = { object: 'event', path: '/events', tag: 'Events', noun: 'event', plural: 'events' } as const

export const listEvents = listEndpoint({
  ...EVENTS,
  operation: 'listEvents',
  lastId: 'event_0241_2',
  filters: {
    locationId: idFilter('location', 'locationId', 'loc_los_angeles'),
    bookingId: idFilter('booking', 'bookingId', 'book_0241'),
    staffId: idFilter('assigned staff member', 'staffIds', 'staff_0024'),
    resourceId: idFilter('assigned resource', 'resourceIds', 'res_0034'),
    createdAt: timeFilter('Created'),
    updatedAt: timeFilter('Changed'),
    serviceStartTime: timeFilter('Service starts'),
  },
  list: listRows,
})

export const getEvent = getEndpoint({ ...EVENTS, operation: 'getEvent', find: findEvent })
