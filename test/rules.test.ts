/** The rules in docs/ against the tests that cite them, and against the code. */
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { buildOpenApi } from '../src/api/openapi.ts'
import { ERROR_CODES, errorFacts } from '../src/core/requests/errors.ts'
import { priceQuote } from '../src/core/pricing/price-quote.ts'
import type { PricingInput } from '../src/core/pricing/price-total.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const api = read('docs/api.md')
const pricing = read('docs/pricing.md')
const documents = readdirSync(new URL('../docs', import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .map((name) => read(`docs/${name}`))
const rules = [...documents.join('\n').matchAll(/^### ([A-Z]{1,2}\d+) /gm)].map(([, id = '']) => id)

const filesIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
const tests = filesIn('test', 'src', 'console/src', 'e2e', 'system', 'journey').filter((path) =>
  path.endsWith('.test.ts'),
)
/** A title cites rules at its beginning: `R10, R11: …`. */
const CITATION = /['"`]([A-Z]{1,2}\d+(?:, [A-Z]{1,2}\d+)*): /g
const cited = tests.flatMap((path) =>
  [...read(path).matchAll(CITATION)].flatMap(([, ids = '']) => ids.split(', ').map((id) => ({ id, path }))),
)

/** A comment cites rules in parentheses: `(W4)`, `(F1, W8)`. */
const COMMENT = /\/\*[^]*?\*\/|\/\/ .*/g
const CITATION_IN_COMMENT = /\(([A-Z]{1,2}\d+(?:, [A-Z]{1,2}\d+)*)\)/g
const citedInComments = filesIn('src', 'console', 'journey').flatMap((path) =>
  [...read(path).matchAll(COMMENT)]
    .flatMap(([comment]) => [...comment.matchAll(CITATION_IN_COMMENT)])
    .flatMap(([, ids = '']) => ids.split(', ').map((id) => ({ id, path }))),
)

describe('rule ids', () => {
  it('are defined once', () => {
    expect(rules.length).toBeGreaterThan(100)
    expect(rules.filter((id, i) => rules.indexOf(id) !== i)).toEqual([])
  })

  it('are defined if a test cites them', () => {
    expect(cited.filter(({ id }) => !rules.includes(id))).toEqual([])
  })

  it('are defined if a comment cites them', () => {
    expect(citedInComments.length).toBeGreaterThan(0)
    expect(citedInComments.filter(({ id }) => !rules.includes(id))).toEqual([])
  })

  it('are cited by a test if they are defined', () => {
    expect(rules.filter((id) => !cited.some((citation) => citation.id === id))).toEqual([])
  })
})

describe('docs/api.md', () => {
  interface Schema {
    type?: string | string[]
    anyOf?: Schema[]
    const?: string
    properties?: Record<string, Schema>
  }
  const { components } = buildOpenApi(ENDPOINTS, 'http://localhost') as unknown as {
    components: { schemas: Record<string, Schema> }
  }
  const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
    type === 'null' || type?.includes('null') === true || anyOf.some(isNullable)
  /** The list of fields that a rule begins with, without the explanations in parentheses. */
  const objects = [...api.matchAll(/^### O\d+ .*\((`.+`)\)\n\n((?:.+\n)+)/gm)].flatMap(
    ([, names = '', paragraph = '']) => {
      const fields = paragraph.replaceAll(/\s*\([^)]*\)/g, '').split(/\.\s/)[0] ?? ''
      return names.split(', ').map((name) => [name.slice(1, -1), fields.split(/,\s/)] as const)
    },
  )

  // The OpenAPI document can have more fields than docs/api.md.
  it.each(objects)('names existing fields of %s', (object, fields) => {
    const schema = Object.values(components.schemas).find(
      ({ properties }) => properties?.['object']?.const === object,
    )
    for (const field of fields) {
      const [, name = '', mark = ''] = /^`(\w+)`(\??)$/.exec(field) ?? []
      const property = schema?.properties?.[name]
      expect({ field, nullable: property && isNullable(property) }).toEqual({ field, nullable: mark === '?' })
    }
  })

  it('lists every error code', () => {
    const rows = [...api.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| `(\w+)` +\|$/gm)].map((row) => row.slice(1))
    expect(rows).toEqual(
      ERROR_CODES.map((code) => [`${errorFacts(code).status}`, errorFacts(code).type, code]),
    )
  })
})

describe('docs/pricing.md', () => {
  const examples = JSON.parse(read('src/core/pricing/pricing-examples.json')) as { input: PricingInput }[]
  const priced = examples.map(({ input }) => priceQuote(input))
  const numbers = (cells: string) => cells.split('|').map((cell) => Number(cell))
  const rows = [...pricing.matchAll(/^\| (\d+) +\| [^|]+ \| ([\d |]+) \|$/gm)]

  it('has every worked example', () => {
    expect(rows.map(([, number]) => Number(number))).toEqual(examples.map((_, i) => i + 1))
  })

  it.each(rows.map(([, number = '', figures = '']) => [number, numbers(figures)] as const))(
    'P24: example %s has the figures that priceQuote calculates',
    (number, figures) => {
      const breakdown = priced[Number(number) - 1]
      expect(figures).toEqual([
        breakdown?.subtotalCents,
        breakdown?.quoteDiscountCents,
        breakdown?.discountedSubtotalCents,
        breakdown?.serviceChargeCents,
        breakdown?.taxableCents,
        breakdown?.taxCents,
        breakdown?.totalCents,
      ])
    },
  )

  it('P24: the steps of example 12 have the figures that priceQuote calculates', () => {
    const steps = [...pricing.matchAll(/^\| `(\w+)` +\| .+ \| (\d+) +\|$/gm)]
    const shown = Object.fromEntries(steps.map(([, figure = '', result]) => [figure, Number(result)]))
    expect(Object.keys(shown)).toHaveLength(8)
    expect(priced[11]).toMatchObject(shown)
  })
})
