import { describe, expect, it } from 'vitest'
import { ASSUMED, deriveNeeds, extrapolate } from '../bench/growth/needs.ts'
import { comparableCost } from '../bench/growth/measure.ts'
import type { CostFigures, GrowthFigures } from '../bench/growth/measure.ts'
import { firstDifference } from '../bench/growth/peers.ts'
import { plotGrowth, roundUp } from '../bench/growth/plot.ts'
import { growthOf, sectionOf, withGrowth } from '../bench/growth/report.ts'
import { REFERENCE, listSizes, parseSize, worldOf } from '../bench/growth/sizes.ts'
import { generateWorld } from '../src/world/demo/demo-world.ts'

const cost = (us: number): CostFigures => ({ serverUs: us, databaseUs: us / 2, ratio: us / 100 })

/** Cost grows by `step` microseconds with each power of ten. */
function figuresOf(companies: number, quotes: number, step = 0): GrowthFigures & { date: string } {
  const us = 100 + step * (Math.log10(quotes) - 4)
  return {
    size: { companies, quotes },
    imported: { lines: 11 * quotes, seconds: quotes / 1_000, cpuSeconds: quotes / 500, bytes: 2e8 },
    disk: { tableBytes: 4_000 * quotes, indexBytes: 6_000 * quotes },
    memory: { restingBytes: 1e8, loadedBytes: 2e8, databaseBytes: 3e8 },
    costs: {
      get: cost(us),
      list10: cost(us),
      deep: cost(us),
      list100: cost(us),
      createTask: cost(us),
    },
    date: '2026-11-18',
  }
}

describe('the sizes of the growth benchmark', () => {
  it('are 1, 10 and 100 companies with up to a million quotes; the reference is first', () => {
    expect(listSizes('full')).toHaveLength(9)
    expect(listSizes('full').at(-1)).toEqual({ companies: 100, quotes: 1_000_000 })
    expect(listSizes('quick')[0]).toEqual(REFERENCE)
  })

  it('can be selected by text', () => {
    expect(parseSize('10x100000')).toEqual({ companies: 10, quotes: 100_000 })
    expect(() => parseSize('10')).toThrow('is not a size')
    expect(() => parseSize('3x1000')).toThrow('is not a size')
    expect(() => parseSize('100x1000')).toThrow('at least 100 quotes')
  })

  it('generate companies with different form addresses', () => {
    const records = [...generateWorld(worldOf({ companies: 3, quotes: 3 }))]
    const slugs = records.flatMap((record) =>
      record.object === 'form' && record.slug !== undefined ? [record.slug] : [],
    )
    expect(slugs.length).toBeGreaterThanOrEqual(3)
    expect(new Set(slugs).size).toBe(slugs.length)
  })
})

describe('the cost of requests', () => {
  it('is scaled to the machine speed of the reference measurement', () => {
    const slow = { serverUs: 400, databaseUs: 200, ratio: 1.2 }
    const { serverUs, databaseUs } = comparableCost({ serverUs: 100, databaseUs: 50, ratio: 1 }, slow)
    expect(serverUs).toBeCloseTo(120)
    expect(databaseUs).toBeCloseTo(60)
  })
})

describe('the needs of 1,000 companies', () => {
  it('extrapolate a line over the logarithm of the size and never decrease', () => {
    const points = [10_000, 100_000].map((quotes, i) => ({ quotes, value: 100 + 20 * i }))
    expect(extrapolate(points, 10_000_000)).toBeCloseTo(160)
    expect(extrapolate(points.slice(0, 1), 10_000_000)).toBe(100)
    const falling = [10_000, 100_000].map((quotes, i) => ({ quotes, value: 100 - 20 * i }))
    expect(extrapolate(falling, 10_000_000)).toBe(80)
  })

  it('follow from the worlds with the most companies', () => {
    const flat = [
      figuresOf(1, 10_000),
      figuresOf(10, 1_000_000, 1_000),
      figuresOf(100, 10_000),
      figuresOf(100, 1_000_000),
    ]
    const needs = deriveNeeds(flat)
    const quotes = ASSUMED.companies * ASSUMED.quotesEach
    expect(needs).toMatchObject({
      measuredQuotes: 1_000_000,
      quotes,
      diskBytes: 10_000 * quotes,
      importSeconds: quotes / 500,
    })
    expect(needs.serverUs).toBeCloseTo(100)
    expect(needs.databaseUs).toBeCloseTo(50)
    expect(needs.processors).toBe(1)
    const growing = [figuresOf(1, 10_000), figuresOf(100, 10_000, 100), figuresOf(100, 1_000_000, 100)]
    expect(deriveNeeds(growing).serverUs).toBeCloseTo(100 + 100 * (Math.log10(quotes) - 4))
  })

  it('assume request shares that add up to one', () => {
    expect(Object.values(ASSUMED.shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
  })
})

describe('the report of the growth benchmark', () => {
  const record = {
    worlds: { '100x10000': figuresOf(100, 10_000), '1x10000': figuresOf(1, 10_000) },
    peers: [{ name: 'Other', costs: { get: cost(300) }, answers: 400, date: '2026-11-18' }],
  }

  it('has a row for each size, and one for each other server', () => {
    const section = sectionOf(record)
    expect(section).toContain('| 1 | 10,000 | 100 + 50 (1.00) |')
    expect(section).toContain('| 100 | 10,000 | 100 + 50 (1.00) |')
    expect(section).toContain('| Other | 300 + 150 (3.00) | 400 |')
    expect(() => sectionOf({ worlds: { '10x10000': figuresOf(10, 10_000) }, peers: [] })).toThrow('reference')
  })

  it('replaces its section and leaves the rest of the page', () => {
    const section = sectionOf(record)
    const page = withGrowth('# Performance\n\nText.\n', section)
    expect(page.startsWith('# Performance\n\nText.\n\n')).toBe(true)
    expect(growthOf(page)).toBe(section)
    expect(withGrowth(page, section)).toBe(page)
    expect(withGrowth('# Performance\n', '')).toBe('# Performance\n')
  })

  it('plots a line for each number of companies in every panel', () => {
    const plot = plotGrowth([figuresOf(1, 10_000), figuresOf(10, 10_000), figuresOf(10, 100_000)])
    expect(plot.match(/<polyline/g)).toHaveLength(8 * 2)
    expect(plot.match(/<circle/g)).toHaveLength(8 * 3)
    expect(plot).not.toContain('NaN')
  })

  it('rounds the top of an axis up', () => {
    expect([0.7, 3, 20, 21, 999].map(roundUp)).toEqual([1, 5, 20, 50, 1_000])
  })
})

describe('the comparison of responses', () => {
  it('names the first difference', () => {
    const answer = { data: [{ id: 'a', lead: { name: 'Ada' } }] }
    expect(firstDifference({ data: [{ id: 'a', lead: null }] }, answer)).toBe(
      'data.0.lead: null instead of {"name":"Ada"}',
    )
    expect(firstDifference(answer, { data: [] })).toMatch(/^data\.0: .* instead of undefined$/)
  })
})
