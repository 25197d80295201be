/** The sizes that are measured, and the worlds of these sizes. */
import type { WorldOptions } from '../../src/world/demo/plan.ts'

export interface Size {
  companies: number
  /** Quotes of all companies together. Each has the same number. */
  quotes: number
}

const COMPANIES = [1, 10, 100]
const QUOTES = { quick: [10_000, 100_000], full: [10_000, 100_000, 1_000_000] }

/** The other sizes are compared with this one in the same rounds. */
export const REFERENCE: Size = { companies: 1, quotes: 10_000 }

/** Other servers are measured with this size. */
export const PEER_SIZE: Size = { companies: 10, quotes: 100_000 }

export function isSize(a: Size, b: Size): boolean {
  return a.companies === b.companies && a.quotes === b.quotes
}

/** The reference first, then by number of quotes. */
export function listSizes(effort: keyof typeof QUOTES): Size[] {
  return QUOTES[effort].flatMap((quotes) => COMPANIES.map((companies) => ({ companies, quotes })))
}

/** `10x100000`: ten companies with 100,000 quotes in all. */
export function parseSize(text: string): Size {
  const [, companies, quotes] = /^(\d+)x(\d+)$/.exec(text) ?? []
  const size = { companies: Number(companies), quotes: Number(quotes) }
  const isWhole = size.companies >= 1 && size.quotes % size.companies === 0
  if (!isWhole || size.quotes / size.companies < LEAST_QUOTES) {
    throw new Error(`${text} is not a size: write 10x100000, with at least ${LEAST_QUOTES} quotes a company`)
  }
  return size
}

/** The minimum for nearly full pages of a hundred quotes */
const LEAST_QUOTES = 100

export function nameOf({ companies, quotes }: Size): string {
  return `${companies}x${quotes}`
}

const companyId = (number: number) => `co_growth_${number}`
export const keyOf = (company: string) => `eqs_bench_${company}`

/** Days, lines, staff and equipment have the averages of the demo. */
export function worldOf({ companies, quotes }: Size): WorldOptions {
  return {
    seed: 7,
    companies: Array.from({ length: companies }, (_, i) => ({
      id: companyId(i + 1),
      name: companyId(i + 1),
      plan: 'PREMIUM',
      currency: 'USD',
      keys: [{ name: 'Benchmark', key: keyOf(companyId(i + 1)) }],
      quotes: quotes / companies,
    })),
  }
}
