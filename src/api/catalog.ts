/** Services, add-ons, locations and event types: lists and gets. */
import { findEventType, listNewestEventTypes } from '../records/event-type/object.ts'
import { findLocation, listNewestLocations } from '../records/location/object.ts'
import {
  findAddon,
  findService,
  listAddons as listAddonRows,
  listServices as listServiceRows,
} from '../records/service/queries.ts'
import { trueOrFalse } from './parameters.ts'
import { getEndpoint, listEndpoint } from './read-endpoints.ts'

const TAG = { tag: 'Catalog' } as const
const SERVICES = {
  ...TAG,
  object: 'service',
  path: '/services',
  noun: 'service',
  plural: 'services',
} as const
const ADDONS = { ...TAG, object: 'addon', path: '/addons', noun: 'add-on', plural: 'add-ons' } as const
const LOCATIONS = {
  ...TAG,
  object: 'location',
  path: '/locations',
  noun: 'location',
  plural: 'locations',
} as const
const EVENT_TYPES = {
  ...TAG,
  object: 'eventType',
  path: '/event-types',
  noun: 'event type',
  plural: 'event types',
} as const

const filters = {
  archived: trueOrFalse('archived', 'Only archived ones, or only those that are not.', false),
}

export const listServices = listEndpoint({
  ...SERVICES,
  operation: 'listServices',
  lastId: 'svc_slow_motion_stage',
  filters,
  list: (db, companyId, { archived }, page) => listServiceRows(db, companyId, { isArchived: archived }, page),
})

export const listAddons = listEndpoint({
  ...ADDONS,
  operation: 'listAddons',
  lastId: 'addon_linen',
  filters,
  list: (db, companyId, { archived }, page) => listAddonRows(db, companyId, { isArchived: archived }, page),
})

export const listLocations = listEndpoint({
  ...LOCATIONS,
  operation: 'listLocations',
  lastId: 'loc_lisbon',
  filters,
  list: (db, companyId, { archived }, page) =>
    listNewestLocations(db, companyId, { isArchived: archived }, page),
})

export const listEventTypes = listEndpoint({
  ...EVENT_TYPES,
  operation: 'listEventTypes',
  lastId: 'type_gala',
  filters,
  list: (db, companyId, { archived }, page) =>
    listNewestEventTypes(db, companyId, { isArchived: archived }, page),
})

export const getService = getEndpoint({ ...SERVICES, operation: 'getService', find: findService })
export const getAddon = getEndpoint({ ...ADDONS, operation: 'getAddon', find: findAddon })
export const getLocation = getEndpoint({ ...LOCATIONS, operation: 'getLocation', find: findLocation })
export const getEventType = getEndpoint({ ...EVENT_TYPES, operation: 'getEventType', find: findEventType })
