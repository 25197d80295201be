/** Resources for 1,000 companies, derived from the measured sizes. */
import { KINDS } from './requests.ts'
import type { Kind } from './requests.ts'
import { comparableCost, referenceOf } from './measure.ts'
import type { GrowthFigures } from './measure.ts'

/** Assumptions, which the report lists */
export const ASSUMED = {
  companies: 1_000,
  /** A thousand quotes a year for five years */
  quotesEach: 5_000,
  /** Requests of each company in busy hours */
  requestsPerSecondEach: 0.5,
  shares: { get: 0.5, list10: 0.3, deep: 0.05, list100: 0.05, createTask: 0.1 } satisfies Record<
    Kind,
    number
  >,
  /** At a higher share, requests wait for each other. */
  processorShare: 0.6,
  /** The share of the tables that is read often, which should fit into memory in addition to all indexes */
  hotTableShare: 0.1,
}

export interface Needs {
  /** Number of quotes of the largest measured world */
  measuredQuotes: number
  quotes: number
  requestsPerSecond: number
  /** Per request of the mix. */
  serverUs: number
  databaseUs: number
  processors: number
  /** Each process uses one processor. */
  processes: number
  serviceBytes: number
  cacheBytes: number
  diskBytes: number
  /** CPU time of the command and the database. */
  importSeconds: number
}

export function deriveNeeds(figures: readonly GrowthFigures[]): Needs {
  const most = Math.max(...figures.map(({ size }) => size.companies))
  const alike = figures
    .filter(({ size }) => size.companies === most)
    .toSorted((a, b) => a.size.quotes - b.size.quotes)
  const largest = alike.at(-1)
  if (largest === undefined) throw new Error('no size was measured')
  const quotes = ASSUMED.companies * ASSUMED.quotesEach
  const requestsPerSecond = ASSUMED.companies * ASSUMED.requestsPerSecondEach
  const reference = referenceOf(figures)
  const perRequest = (part: 'serverUs' | 'databaseUs') =>
    (Object.keys(KINDS) as Kind[]).reduce((sum, kind) => {
      const points = alike.map(({ size, costs }) => ({
        quotes: size.quotes,
        value: comparableCost(reference.costs[kind], costs[kind])[part],
      }))
      return sum + ASSUMED.shares[kind] * extrapolate(points, quotes)
    }, 0)
  const serverUs = perRequest('serverUs')
  const databaseUs = perRequest('databaseUs')
  const busy = (us: number) => (us * requestsPerSecond) / 1_000_000 / ASSUMED.processorShare
  const processes = Math.ceil(busy(serverUs))
  const perQuote = (value: number) => (value / largest.size.quotes) * quotes
  const { tableBytes, indexBytes } = largest.disk
  return {
    measuredQuotes: largest.size.quotes,
    quotes,
    requestsPerSecond,
    serverUs,
    databaseUs,
    processors: Math.ceil(busy(serverUs + databaseUs)),
    processes,
    serviceBytes: processes * largest.memory.loadedBytes,
    cacheBytes: perQuote(indexBytes + ASSUMED.hotTableShare * tableBytes),
    diskBytes: perQuote(tableBytes + indexBytes),
    importSeconds: perQuote(largest.imported.cpuSeconds),
  }
}

interface Point {
  quotes: number
  value: number
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Extrapolates on a line over the logarithm of the size, like the depth of indexes. At least the value of the largest size. */
export function extrapolate(points: readonly Point[], quotes: number): number {
  const x = points.map((point) => Math.log10(point.quotes))
  const y = points.map(({ value }) => value)
  const [meanX, meanY] = [mean(x), mean(y)]
  const square = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0)
  const product = x.reduce((sum, value, i) => sum + (value - meanX) * ((y[i] ?? 0) - meanY), 0)
  const slope = square === 0 ? 0 : product / square
  return Math.max(y.at(-1) ?? 0, meanY + slope * (Math.log10(quotes) - meanX))
}
