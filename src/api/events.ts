/** Events: list and get. */
import { findEvent, listEvents as listRows } from '../records/event/queries.ts'
import { dateTimeBounds, idFilter, rangeOf } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'

const EVENTS = { object: 'event', path: '/events', tag: 'Events', noun: 'event', plural: 'events' } as const

export const listEvents = listEndpoint({
  ...EVENTS,
  operation: 'listEvents',
  lastId: 'event_0241_2',
  filters: {
    location_id: idFilter('location', 'locationId', 'loc_los_angeles'),
    booking_id: idFilter('booking', 'bookingId', 'book_0241'),
    staff_id: idFilter('assigned staff member', 'staffIds', 'staff_0024'),
    resource_id: idFilter('assigned resource', 'resourceIds', 'res_0034'),
    ...dateTimeBounds('created_at', 'Created'),
    ...dateTimeBounds('updated_at', 'Changed'),
    ...dateTimeBounds('service_start_time', 'Service starts'),
  },
  list: (db, companyId, values, page) =>
    listRows(
      db,
      companyId,
      {
        locationId: values.location_id,
        bookingId: values.booking_id,
        staffId: values.staff_id,
        resourceId: values.resource_id,
        createdAt: rangeOf(values, 'created_at'),
        updatedAt: rangeOf(values, 'updated_at'),
        serviceStartTime: rangeOf(values, 'service_start_time'),
      },
      page,
    ),
})

export const getEvent = getEndpoint({ ...EVENTS, operation: 'getEvent', find: findEvent })
