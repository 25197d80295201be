/** The endpoints of the public API, in the order of the documentation. */
import type { Endpoint } from './endpoint.ts'
import { getQuote, listQuotes } from './quotes.ts'
import { getResource, listResources } from './resources.ts'
import { getStaff } from './staff.ts'

export const ENDPOINTS: readonly Endpoint[] = [listQuotes, getQuote, listResources, getResource, getStaff]
