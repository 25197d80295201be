/** Services, add-ons, locations and event types: lists and gets. */
import { findEventType, listNewestEventTypes } from '../records/event-type/object.ts'
import { findLocation, listNewestLocations } from '../records/location/object.ts'
import { findAddon, findService, listAddons, listServices } from '../records/service/object.ts'
import { trueOrFalse } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'

const CATALOG = {
  tag: 'Catalog',
  filters: { archived: trueOrFalse('archived', 'Only archived ones, or only those that are not.', false) },
} as const

const SERVICES = { object: 'service', path: '/services', noun: 'service', plural: 'services' } as const
const ADDONS = { object: 'addon', path: '/addons', noun: 'add-on', plural: 'add-ons' } as const
const LOCATIONS = { object: 'location', path: '/locations', noun: 'location', plural: 'locations' } as const
const EVENT_TYPES = {
  object: 'eventType',
  path: '/event-types',
  noun: 'event type',
  plural: 'event types',
} as const

export const CATALOG_ENDPOINTS = [
  listEndpoint({
    ...CATALOG,
    ...SERVICES,
    operation: 'listServices',
    lastId: 'svc_slow_motion_stage',
    list: listServices,
  }),
  getEndpoint({ ...CATALOG, ...SERVICES, operation: 'getService', find: findService }),
  listEndpoint({
    ...CATALOG,
    ...ADDONS,
    operation: 'listAddons',
    lastId: 'addon_linen',
    list: listAddons,
  }),
  getEndpoint({ ...CATALOG, ...ADDONS, operation: 'getAddon', find: findAddon }),
  listEndpoint({
    ...CATALOG,
    ...LOCATIONS,
    operation: 'listLocations',
    lastId: 'loc_lisbon',
    list: listNewestLocations,
  }),
  getEndpoint({ ...CATALOG, ...LOCATIONS, operation: 'getLocation', find: findLocation }),
  listEndpoint({
    ...CATALOG,
    ...EVENT_TYPES,
    operation: 'listEventTypes',
    lastId: 'type_gala',
    list: listNewestEventTypes,
  }),
  getEndpoint({ ...CATALOG, ...EVENT_TYPES, operation: 'getEventType', find: findEventType }),
]
