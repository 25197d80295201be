/** The filters of the table: in the URL of the page, and as parameters of the call. */
import { addDays, isCalendarDay } from '../../../src/core/schedule/agenda.ts'
import { QUOTE_STATES } from '../../../src/core/quotes/quote-state.ts'
import type { QuoteState } from '../../../src/core/quotes/quote-state.ts'
import { startOfDay } from './day-bounds.ts'

export interface Filters {
  state: QuoteState | null
  search: string
  leadId: string | null
  locationId: string | null
  eventTypeId: string | null
  /** Days: `2026-05-01`, the last one included. */
  createdFrom: string | null
  createdTo: string | null
  serviceFrom: string | null
  serviceTo: string | null
  /** Id of the last quote of the page before. */
  after: string | null
}

const NAMES = {
  state: 'state',
  search: 'search',
  leadId: 'lead',
  locationId: 'location',
  eventTypeId: 'type',
  createdFrom: 'created_from',
  createdTo: 'created_to',
  serviceFrom: 'service_from',
  serviceTo: 'service_to',
  after: 'after',
} satisfies Record<keyof Filters, string>

/** A day of our times. While a year is typed, `0002` and `0020` come before `2026`. */
export function isFilterDay(text: string): boolean {
  return isCalendarDay(text) && text >= '1900' && text < '3000'
}

/** Ignores invalid values: a URL may come from anywhere. */
export function readFilters(params: URLSearchParams): Filters {
  const text = (name: keyof Filters) => params.get(NAMES[name]) || null
  const day = (name: keyof Filters) => {
    const value = text(name)
    return value !== null && isFilterDay(value) ? value : null
  }
  const state = text('state')
  return {
    state: QUOTE_STATES.find((one) => one === state) ?? null,
    search: text('search') ?? '',
    leadId: text('leadId'),
    locationId: text('locationId'),
    eventTypeId: text('eventTypeId'),
    createdFrom: day('createdFrom'),
    createdTo: day('createdTo'),
    serviceFrom: day('serviceFrom'),
    serviceTo: day('serviceTo'),
    after: text('after'),
  }
}

/** For the URL, without unset filters. */
export function writeFilters(filters: Filters): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, param] of Object.entries(NAMES)) {
    const value = filters[name as keyof Filters]
    if (value !== null && value !== '') params.set(param, value)
  }
  return params
}

/** Beside the state, the search and the cursor. */
export function countMoreFilters(filters: Filters): number {
  const { state: _state, search: _search, after: _after, ...more } = filters
  return Object.values(more).filter((value) => value !== null).length
}

export function isFiltered(filters: Filters): boolean {
  return filters.state !== null || filters.search.trim() !== '' || countMoreFilters(filters) > 0
}

/** The path of the call. Days begin where the location is, if there is one, and else where the user is. */
export function pathOf(filters: Filters, locationZone: string | undefined): string {
  const query = new URLSearchParams()
  const add = (name: string, value: string | null) => {
    if (value !== null && value !== '') query.set(name, value)
  }
  const addRange = (name: string, from: string | null, to: string | null, zone: string | undefined) => {
    if (from !== null) add(`${name}[gte]`, startOfDay(from, zone))
    if (to !== null) add(`${name}[lt]`, startOfDay(addDays(to, 1), zone))
  }
  add('state', filters.state)
  add('search', filters.search.trim())
  add('lead_id', filters.leadId)
  add('location_id', filters.locationId)
  add('event_type_id', filters.eventTypeId)
  addRange('created_at', filters.createdFrom, filters.createdTo, undefined)
  addRange('service_start_time', filters.serviceFrom, filters.serviceTo, locationZone)
  add('starting_after', filters.after)
  const text = query.toString()
  return text === '' ? 'quotes' : `quotes?${text}`
}
