import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from './errors.ts'
import type { ExpandGraph, ExpandTree } from './expand-paths.ts'
import { collectExpand, listPaths } from './expand-paths.ts'

/** The paths of rule X6. The API tests check that the API has the same graph. */
const GRAPH: ExpandGraph = {
  quote: {
    lead: 'lead',
    location: 'location',
    eventType: 'eventType',
    services: 'service',
    addons: 'addon',
    discounts: 'discount',
    taxRate: 'taxRate',
    paymentTerms: 'paymentTerms',
    serviceCharges: 'serviceCharge',
    serviceDays: 'serviceDay',
    contract: 'contract',
    booking: 'booking',
  },
  booking: { lead: 'lead', eventType: 'eventType', invoices: 'invoice', events: 'event' },
  event: {
    location: 'location',
    services: 'service',
    staff: 'staff',
    addons: 'addon',
    resources: 'resource',
    booking: 'booking',
  },
}

/** Every path of the graph, up to four segments. */
const PATHS = [
  'lead',
  'location',
  'eventType',
  'services',
  'addons',
  'discounts',
  'taxRate',
  'paymentTerms',
  'serviceCharges',
  'serviceDays',
  'contract',
  'booking',
  'booking.lead',
  'booking.eventType',
  'booking.invoices',
  'booking.events',
  'booking.events.location',
  'booking.events.services',
  'booking.events.staff',
  'booking.events.addons',
  'booking.events.resources',
  'booking.events.booking',
  'booking.events.booking.lead',
  'booking.events.booking.eventType',
  'booking.events.booking.invoices',
  'booking.events.booking.events',
]

function collect(paths: readonly string[], prefix: '' | 'data.' = ''): ExpandTree {
  const { add, tree } = collectExpand(GRAPH, 'quote', prefix)
  for (const path of paths) add(path)
  return tree
}

function rejectionOf(paths: readonly string[], prefix: '' | 'data.' = ''): ApiError {
  try {
    collect(paths, prefix)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`no path was rejected: ${paths.join(', ')}`)
}

/** Every path of a tree, including parents. */
function pathsOf(tree: ExpandTree, above = ''): string[] {
  return Object.entries(tree).flatMap(([name, below]) => [
    above + name,
    ...pathsOf(below, `${above}${name}.`),
  ])
}

const withParents = (path: string): string[] =>
  path.split('.').map((_, i, segments) => segments.slice(0, i + 1).join('.'))

describe('listPaths', () => {
  it('returns every path up to four segments once, parents before children', () => {
    expect(listPaths(GRAPH, 'quote')).toEqual(PATHS)
    expect(listPaths(GRAPH, 'lead')).toEqual([])
  })
})

describe('X2: a nested path includes its parents; unrequested siblings stay absent', () => {
  it.each([
    [[], {}],
    [['lead'], { lead: {} }],
    [['booking'], { booking: {} }],
    [['booking.lead'], { booking: { lead: {} } }],
    [['booking.events.resources'], { booking: { events: { resources: {} } } }],
    [['booking.events.booking.events'], { booking: { events: { booking: { events: {} } } } }],
    [['booking.lead', 'booking'], { booking: { lead: {} } }],
    [['booking', 'booking.lead', 'booking.events.staff'], { booking: { lead: {}, events: { staff: {} } } }],
  ])('%j', (paths, tree) => {
    expect(collect(paths)).toEqual(tree)
    expect(
      collect(
        paths.map((path) => `data.${path}`),
        'data.',
      ),
    ).toEqual(tree)
  })

  it('any paths in any order, also repeated, lead to exactly these paths and their parents', () => {
    const requests = fc
      .subarray(PATHS, { minLength: 1, maxLength: 20 })
      .chain((paths) => fc.array(fc.constantFrom(...paths), { maxLength: 60 }))
    fc.assert(
      fc.property(requests, fc.constantFrom('' as const, 'data.' as const), (paths, prefix) => {
        const tree = collect(
          paths.map((path) => prefix + path),
          prefix,
        )
        const expected = [...new Set(paths.flatMap(withParents))]
        expect(pathsOf(tree).toSorted()).toEqual(expected.toSorted())
      }),
    )
  })
})

describe('X3, R8: at most 20 distinct paths', () => {
  it('accepts 20 paths, rejects the 21st', () => {
    expect(pathsOf(collect(PATHS.slice(0, 20)))).toHaveLength(20)
    const error = rejectionOf(PATHS.slice(0, 21))
    expect(error.message).toContain('20')
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 400, param: 'expand' })
  })

  it('counts duplicates once: 25 copies of one path, and 20 paths three times each', () => {
    expect(collect(Array.from({ length: 25 }, () => 'lead'))).toEqual({ lead: {} })
    const twenty = PATHS.slice(0, 20)
    expect(collect([...twenty, ...twenty, ...twenty])).toEqual(collect(twenty))
  })

  it('counts only requested parents', () => {
    // 14 paths without their parents `booking`, `booking.events` and `booking.events.booking`, and 6 more: 20, in 23 nodes.
    const leaves = PATHS.filter((path) => !PATHS.some((other) => other.startsWith(`${path}.`)))
    expect(leaves).toHaveLength(23)
    const nested = leaves.filter((path) => path.includes('.'))
    const twenty = [...nested, ...leaves.filter((path) => !path.includes('.')).slice(0, 20 - nested.length)]
    expect(twenty).toHaveLength(20)
    expect(pathsOf(collect(twenty))).toHaveLength(23)
    expect(rejectionOf([...twenty, 'booking'])).toMatchObject({ param: 'expand' })
  })

  it('counts paths with a prefix in the same way', () => {
    const twenty = PATHS.slice(0, 20).map((path) => `data.${path}`)
    expect(pathsOf(collect(twenty, 'data.'))).toHaveLength(20)
    expect(rejectionOf([...twenty, 'data.booking.events.booking'], 'data.')).toMatchObject({
      param: 'expand',
    })
  })

  it('rejects 21 to 26 different paths in any order', () => {
    const shuffled = fc.shuffledSubarray(PATHS, { minLength: 21 })
    fc.assert(
      fc.property(shuffled, (paths) => {
        expect(rejectionOf(paths)).toMatchObject({ code: 'invalid_parameter', param: 'expand' })
      }),
    )
  })
})

describe('X3: at most four segments per path, without the prefix', () => {
  it('accepts four segments, rejects five as too deep', () => {
    expect(pathsOf(collect(['booking.events.booking.events']))).toHaveLength(4)
    expect(pathsOf(collect(['data.booking.events.booking.events'], 'data.'))).toHaveLength(4)
    const deep = 'booking.events.booking.events.staff'
    expect(rejectionOf([deep]).message).toContain(`"${deep}"`)
    expect(rejectionOf([deep]).message).toContain('4 segments')
    expect(rejectionOf([`data.${deep}`], 'data.').message).toContain(`"data.${deep}"`)
  })
})

/** Paths that are invalid in lists and gets, with or without prefix. */
const NO_PATHS = [
  // Named by rule X4.
  'lineItems',
  'serviceDays.lineItems',
  'booking.invoices.lineItems',
  'discount',
  'serviceCharges.serviceCharge',
  // Members of other objects, of leaves, and of the quote.
  'quote',
  'staff',
  'events',
  'booking.quote',
  'booking.services',
  'booking.invoices.booking',
  'booking.events.lead',
  'booking.events.invoices',
  'lead.bookings',
  'leadId',
  'totalPriceCents',
  'contract.content',
  // Members of every JavaScript object.
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'booking.constructor',
  'booking.__proto__',
  'lead.constructor',
  'constructor.prototype',
  '__proto__.lead',
  // Malformed.
  '',
  ' ',
  '.',
  '..',
  ' lead',
  'lead ',
  'lead\t',
  'lead\n',
  'lead.',
  '.lead',
  'booking..lead',
  'booking. lead',
  'booking .lead',
  'booking.lead.',
  'Lead',
  'LEAD',
  'lead\0',
  'lead/location',
  'lead,location',
  '*',
  'booking.*',
  'booking[lead]',
  'booking:lead',
]

describe('X4: unknown, malformed or unsupported paths are 400 with param expand, and the message names the path', () => {
  it.each(NO_PATHS)('%j', (path) => {
    for (const prefix of ['', 'data.'] as const) {
      const sent = prefix + path
      const error = rejectionOf([sent], prefix)
      expect(error).toMatchObject({ code: 'invalid_parameter', status: 400, param: 'expand' })
      expect(error.message).toContain(`"${sent}"`)
    }
    expect(Object.prototype).not.toHaveProperty('lead')
  })

  it('rejects any text that is not one of the 26 paths', () => {
    const segment = fc.oneof(
      fc.constantFrom('booking', 'events', 'lead', 'data', 'lineItems', '', ' ', '__proto__', 'valueOf'),
      fc.string({ maxLength: 8 }),
    )
    const text = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('.'))
    fc.assert(
      fc.property(
        text.filter((path) => !PATHS.includes(path)),
        (path) => {
          expect(rejectionOf([path])).toMatchObject({ code: 'invalid_parameter', param: 'expand' })
          expect(rejectionOf([`data.${path}`], 'data.')).toMatchObject({ code: 'invalid_parameter' })
        },
      ),
    )
  })

  it('R3: reports the first of several wrong paths, also after valid ones', () => {
    expect(rejectionOf(['lead', 'nope', 'neither']).message).toContain('"nope"')
    expect(rejectionOf([...PATHS.slice(0, 20), 'nope', 'booking.events.booking']).message).toContain('"nope"')
    expect(rejectionOf([...PATHS.slice(0, 21), 'nope']).message).not.toContain('nope')
  })
})

describe('X5: on a list every path begins with data., on a get none does', () => {
  it.each(['lead', 'booking.events.staff', 'data', 'Data.lead', 'DATA.lead', 'data:lead', ' data.lead'])(
    '%j is rejected on a list',
    (path) => {
      expect(rejectionOf([path], 'data.')).toMatchObject({ param: 'expand' })
      expect(rejectionOf([path], 'data.').message).toContain(`"${path}"`)
    },
  )

  it.each(['data.data.lead', 'data.', 'data', 'data.data'])(
    '%j is rejected on a list, because the prefix is repeated or alone',
    (path) => {
      expect(rejectionOf([path], 'data.')).toMatchObject({ param: 'expand' })
    },
  )

  it.each(PATHS)('%s is accepted with the prefix on a list, and rejected with it on a get', (path) => {
    expect(pathsOf(collect([`data.${path}`], 'data.'))).toEqual(withParents(path))
    expect(rejectionOf([`data.${path}`])).toMatchObject({ param: 'expand' })
  })
})
