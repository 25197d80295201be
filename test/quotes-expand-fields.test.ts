import { describe, expect, it } from 'vitest'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { createDemoDatabase } from './support/database.ts'
import { FIELDS, PATHS_IN_TWO, expandQuery, quoteApi } from './support/quotes.ts'
import type { QuoteObject } from './support/quotes.ts'
import { startServer } from './support/server.ts'

// Every object of every response of the demo world.

const demo = await createDemoDatabase()
const demoApi = quoteApi(await startServer(demo.connection, { logLevel: 'error' }))

/** Every object inside, with the path that leads to it. */
function* objectsIn(value: unknown, path = ''): Generator<[path: string, object: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) yield* objectsIn(item, path)
    return
  }
  yield [path, value as Record<string, unknown>]
  for (const [name, inner] of Object.entries(value))
    yield* objectsIn(inner, path === '' ? name : `${path}.${name}`)
}

const FORBIDDEN_WORDS = new Set(
  `line lines item items quantity unit content signature signatures signed pricing configuration archived deleted
  allocation allocations realized breakdown hash ids`.split(/\s+/),
)

const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())

/** Faults in the objects of a response. */
function faultsIn(quotes: readonly QuoteObject[], paths: readonly string[], company: string): Set<string> {
  const requested = new Set(
    paths.flatMap((path) => path.split('.').map((_, i, all) => all.slice(0, i + 1).join('.'))),
  )
  const faults = new Set<string>()
  for (const [path, object] of objectsIn(quotes)) {
    const names = Object.keys(object)
    for (const name of names) {
      if (wordsOf(name).some((word) => FORBIDDEN_WORDS.has(word)))
        faults.add(`${path}: ${name} must not be there`)
    }
    if (path.endsWith('currency')) {
      if (names.join() !== 'isoCode') faults.add(`${path} has ${names.join()}`)
      continue
    }
    // Exactly the documented fields, in that order, then only members that were requested.
    const fields = FIELDS[String(object['object'])] ?? []
    const members = names.slice(fields.length)
    if (names.slice(0, fields.length).join() !== fields.join()) faults.add(`${path} has ${names.join()}`)
    for (const name of members) {
      if (!requested.has(path === '' ? name : `${path}.${name}`))
        faults.add(`${path}: ${name} was not requested`)
    }
    if ('companyId' in object && object['companyId'] !== company) faults.add(`${path} of another company`)
  }
  return faults
}

async function demoQuotes(key: string, paths: readonly string[]): Promise<QuoteObject[]> {
  const quotes: QuoteObject[] = []
  let hasMore = true
  while (hasMore) {
    const after = quotes.at(-1)
    const cursor = after === undefined ? '' : `&starting_after=${after.id}`
    const page = await demoApi.list(`limit=100&${expandQuery(paths, 'data.')}${cursor}`, key)
    quotes.push(...page.data)
    hasMore = page.hasMore
  }
  return quotes
}

const readable = DEMO_KEYS.filter(
  ({ company, revokedAt }) =>
    revokedAt === undefined && ['co_harborlight', 'co_maison_rivage', 'co_prairie_lantern'].includes(company),
)

describe('X8: line items, quantities, unit prices, pricing configuration, contract content and signatures are never returned', () => {
  const contents: string[] = []
  const seen = new Set<string>()

  it('the demo world has contract content that could leak', async () => {
    const { rows } = await demo.pool.query<{ content: string }>(
      'SELECT content FROM contracts WHERE content IS NOT NULL',
    )
    contents.push(...rows.map(({ content }) => content))
    expect(contents.length).toBeGreaterThan(0)
    expect(contents.every((content) => content.length > 20)).toBe(true)
  })

  it.each(readable.map(({ company, key }) => [company, key]))(
    'in any response to %s',
    async (company, key) => {
      for (const paths of PATHS_IN_TWO) {
        const quotes = await demoQuotes(key, paths)
        expect(quotes.length).toBeGreaterThan(20)
        expect([...faultsIn(quotes, paths, company)]).toEqual([])
        for (const [, { object }] of objectsIn(quotes)) if (typeof object === 'string') seen.add(object)
        const text = JSON.stringify(quotes)
        expect(contents.filter((content) => text.includes(JSON.stringify(content).slice(1, -1)))).toEqual([])
      }
    },
  )

  it('the checked responses have every kind of object', () => {
    expect([...seen].toSorted()).toEqual(Object.keys(FIELDS).toSorted())
  })
})

describe('Q10, Q11: a quote on a page and by its id', () => {
  it('is equal, with all paths', async () => {
    const [{ key }] = DEMO_KEYS
    for (const paths of PATHS_IN_TWO) {
      const { data } = await demoApi.list(`limit=100&${expandQuery(paths, 'data.')}`, key)
      const booked = data.filter((quote) => quote['bookingId'] !== null)
      for (const quote of [...booked.slice(0, 8), ...data.slice(0, 8)]) {
        expect(await demoApi.get(quote.id, expandQuery(paths), key)).toEqual(quote)
      }
    }
  })
})
