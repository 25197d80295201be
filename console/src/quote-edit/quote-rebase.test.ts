import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONTENT, LINE } from '../../../test/support/quote-content.ts'
import type { ServiceDay } from '../../../src/core/quotes/quote-details.ts'
import { QuoteContent } from '../../../src/core/quotes/quote-edit.ts'
import type { QuoteLine } from '../../../src/core/quotes/quote-edit.ts'
import { alignDays, listDifferences, rebaseContent } from './quote-rebase.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)

describe('rebaseContent', () => {
  const base: QuoteContent = {
    ...CONTENT,
    lines: [LINE, { ...LINE, id: 'b' }, { ...LINE, id: 'c' }, { ...LINE, id: 'd' }],
    serviceChargeIds: ['x', 'y'],
  }
  const [a, b, c, d] = base.lines as [QuoteLine, QuoteLine, QuoteLine, QuoteLine]

  it('merges the changes of both, and prefers mine in conflicts', () => {
    const mine = {
      ...base,
      lines: [
        { ...a, priceCents: 1, taxable: false },
        { ...c, description: 'mine' },
        d,
        { ...LINE, id: null, description: 'new' },
      ],
      serviceChargeIds: ['y', 'z'],
      baseFeeCents: 5,
    }
    const theirs = {
      ...base,
      lines: [
        { ...a, description: 'theirs', priceCents: 2, quantity: '7' },
        { ...b, description: 'theirs' },
        { ...LINE, id: 'e' },
      ],
      serviceChargeIds: ['x', 'y', 'w'],
      travelFeeCents: 6,
      baseFeeCents: 7,
    }
    expect(rebaseContent({ base, mine, theirs })).toEqual({
      ...base,
      lines: [
        // My price wins together with the quantity that it was calculated from.
        { ...a, description: 'theirs', priceCents: 1, quantity: '1', taxable: false },
        { ...LINE, id: 'e' },
        { ...c, id: null, description: 'mine' },
        { ...LINE, id: null, description: 'new' },
      ],
      serviceChargeIds: ['y', 'w', 'z'],
      baseFeeCents: 5,
      travelFeeCents: 6,
    })
    const differences = listDifferences({ base, mine, theirs }).map((one) => [
      one.subject === 'quote'
        ? one.field
        : !('line' in one)
          ? one.subject
          : `${one.line.id} ${one.subject === 'line' ? one.field : 'presence'}`,
      one.by,
    ])
    expect(differences).toEqual([
      ['serviceChargeIds', 'both'],
      ['baseFeeCents', 'both'],
      ['travelFeeCents', 'them'],
      ['a description', 'them'],
      ['a quantity', 'them'],
      ['a priceCents', 'both'],
      ['a taxable', 'me'],
      ['b presence', 'both'],
      ['c presence', 'both'],
      ['d presence', 'them'],
      ['e presence', 'them'],
      ['null presence', 'me'],
    ])
  })

  const someLine = (id: string) =>
    fc
      .record({ priceCents: fc.nat(2), taxable: fc.boolean(), quantity: fc.constantFrom('1', '2') })
      .map((part) => ({
        ...LINE,
        id,
        ...part,
      }))
  const content = fc
    .tuple(
      fc.subarray(['a', 'b', 'c']).chain((ids) => fc.tuple(...ids.map(someLine))),
      fc.record({
        baseFeeCents: fc.nat(2),
        taxRateId: fc.constantFrom(null, 't', 'u'),
        serviceChargeIds: fc.subarray(['x', 'y', 'z']),
      }),
    )
    .map(([lines, part]): QuoteContent => ({ ...CONTENT, lines, ...part }))

  it('returns their content without my changes, mine without their changes, and always valid content', () => {
    fc.assert(
      fc.property(content, content, content, (one, two, three) => {
        expect(rebaseContent({ base: one, mine: one, theirs: two })).toEqual(two)
        const sorted = ({ lines, serviceChargeIds, ...rest }: QuoteContent) => ({
          ...rest,
          lines: lines.toSorted((p, q) => ((p.id ?? '') < (q.id ?? '') ? -1 : 1)),
          serviceChargeIds: serviceChargeIds.toSorted(),
        })
        const onlyMine = {
          ...two,
          lines: two.lines.filter(({ id }) => one.lines.some((line) => line.id === id)),
        }
        expect(sorted(rebaseContent({ base: one, mine: onlyMine, theirs: one }))).toEqual(sorted(onlyMine))
        const rebased = rebaseContent({ base: one, mine: two, theirs: three })
        expect(QuoteContent.safeParse(rebased).success).toBe(true)
        expect(listDifferences({ base: one, mine: two, theirs: two })).toEqual([])
      }),
      { numRuns },
    )
  })
})

describe('alignDays', () => {
  const DENVER = 'America/Denver'
  const NEW_YORK = 'America/New_York'
  /** Daylight saving time: Denver is 6 hours behind UTC, New York is 4. */
  const day = (id: string, start: string, end: string) => ({
    id,
    serviceStartTime: `2026-06-01T${start}:00.000Z`,
    serviceEndTime: `2026-06-01T${end}:00.000Z`,
  })
  const inDenver = (...serviceDays: ServiceDay[]) => ({
    content: { ...CONTENT, locationId: 'denver', serviceDays },
    timeZone: DENVER,
  })
  const inNewYork = (...serviceDays: ServiceDay[]) => ({
    content: { ...CONTENT, locationId: 'new-york', serviceDays },
    timeZone: NEW_YORK,
  })
  // 12:00 to 17:00 in both places.
  const [noonInDenver, noonInNewYork] = [day('a', '18:00', '23:00'), day('a', '16:00', '21:00')]

  it('keeps the clock times that I typed if they move the quote to another time zone', () => {
    const base = inDenver(noonInDenver, day('b', '17:00', '20:00'))
    const mine = inDenver(day('a', '21:00', '23:00'), day('b', '17:00', '20:00'), day('c', '15:00', '16:00'))
    const theirs = inNewYork(noonInNewYork, day('b', '15:00', '18:00'))
    const versions = alignDays({ base, mine, theirs })
    expect(versions.timeZone).toBe(NEW_YORK)
    expect(rebaseContent(versions)).toEqual({
      ...CONTENT,
      locationId: 'new-york',
      serviceDays: [day('a', '19:00', '21:00'), day('b', '15:00', '18:00'), day('c', '13:00', '14:00')],
    })
    expect(
      listDifferences(versions).map((one) => [one.subject, 'id' in one ? one.id : null, one.by]),
    ).toEqual([
      ['quote', null, 'them'],
      ['day', 'a', 'me'],
      ['day', 'c', 'me'],
    ])
  })

  it('keeps the clock times that they typed if I move the quote to another time zone', () => {
    const base = inDenver(noonInDenver, day('b', '17:00', '20:00'))
    const mine = inNewYork(noonInNewYork, day('b', '15:00', '18:00'))
    const theirs = inDenver(day('a', '21:00', '23:00'), day('c', '15:00', '16:00'))
    const versions = alignDays({ base, mine, theirs })
    expect(versions.timeZone).toBe(NEW_YORK)
    expect(rebaseContent(versions)).toEqual({
      ...CONTENT,
      locationId: 'new-york',
      serviceDays: [day('a', '19:00', '21:00'), day('c', '13:00', '14:00')],
    })
  })

  it('keeps stored seconds in the same time zone', () => {
    const exact = { ...noonInDenver, serviceStartTime: '2026-06-01T18:00:12.345Z' }
    const side = inDenver(exact)
    expect(rebaseContent(alignDays({ base: side, mine: side, theirs: side })).serviceDays).toEqual([exact])
  })
})
