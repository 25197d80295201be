import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACCESS } from '../src/api/access.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import type { Field } from '../src/world/fields.ts'
import type { Kind } from '../src/world/kind.ts'
import { KINDS } from '../src/world/kinds.ts'
import { createDemoDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
/** Without the blanks that align the columns of tables. */
const readTables = (path: string) => read(path).replaceAll(/ {2,}\|/g, ' |')
const readme = readTables('README.md')

function describeField({ name, required, default: byDefault }: Field): string {
  const value = byDefault === undefined || Array.isArray(byDefault) ? '' : ` = ${JSON.stringify(byDefault)}`
  return `\`${name}\`${required === true ? '\\*' : ''}${value}`
}

const EVERYWHERE = new Set(['id', 'companyId', 'createdAt', 'updatedAt'])

function describeKind({ name, shape, children }: Kind): [string, string] {
  const fields = shape.fields.filter((field) => !EVERYWHERE.has(field.name)).map(describeField)
  if (children !== null) fields.push(`\`${children.name}\``)
  return [`\`${name}\``, fields.join(', ')]
}

/** A Markdown table, aligned as the formatter aligns it. */
function tableOf(rows: [string, string][]): string {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[], pad: string) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0, pad)).join(' | ')} |`
  const [head = ['', ''], ...others] = rows
  return [line(head, ' '), line(['', ''], '-'), ...others.map((row) => line(row, ' '))].join('\n')
}

describe('docs/world-format.md', () => {
  it('lists the fields of every kind (`vitest -u` updates it)', async () => {
    const table = tableOf([['`object`', 'Fields'], ...KINDS.map(describeKind)])
    const updated = read('docs/world-format.md').replace(/^\| `object` .*(?:\n\|.*)*/m, () => table)
    await expect(updated).toMatchFileSnapshot('../docs/world-format.md')
  })
})

describe('README.md', () => {
  it.each(DEMO_KEYS.map((key) => [key.key, key] as const))(
    'lists the demo key %s',
    (key, { company, shows }) => {
      expect(readme).toContain(`| \`${key}\` | \`${company}\` | ${shows} |`)
    },
  )

  it.each(ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint] as const))(
    'maps %s to its plans and to tests that exist',
    (operation, { method, path }) => {
      const plans = ACCESS[operation].map((plan) => `\`${plan}\``).join(', ')
      const row = `| \`${method} ${path.replace(/:(\w+)/, '{$1}')}\` | ${plans} | `
      expect(readme).toContain(row)
      const tests = readme.slice(readme.indexOf(row) + row.length).split('\n')[0] ?? ''
      const files = [...tests.matchAll(/\((test\/[\w.-]+)\)/g)].map(([, file = '']) => file)
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) expect(read(file)).toContain('describe(')
    },
  )
})

describe('docs/compatibility.md', () => {
  it('promises that nothing is removed or renamed, and is linked from README.md', () => {
    const promise = read('docs/compatibility.md')
    expect(promise).toContain('- members of response objects')
    expect(promise).toContain('- error codes (`error.code`) and error types (`error.type`)')
    expect(promise).toContain(
      'No endpoint, parameter, member, error code or error type is removed or renamed.',
    )
    expect(readme).toContain('(docs/compatibility.md)')
  })
})

describe('docs/scaling.md', () => {
  it('has the figures of docs/performance.md', () => {
    const line = /^- (.+): (\d+) requests per second, p50 ([\d.]+) ms, p99 ([\d.]+) ms$/gm
    const lines = [...read('docs/scaling.md').matchAll(line)]
    expect(lines).toHaveLength(4)
    const performance = read('docs/performance.md')
    for (const figures of lines) expect(performance).toContain(`\n| ${figures.slice(1).join(' | ')} |`)
  })
})

describe('links and paths in documents', () => {
  const root = new URL('..', import.meta.url)
  const documents = ['.', 'docs', 'docs/adr', 'console'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  )

  it.each(documents)('%s', (path) => {
    const text = read(path)
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
      ([, link = '']) => new URL(link, new URL(path, root)),
    )
    const paths = [
      ...text.matchAll(/`((?:src|test|e2e|system|torture|bench|docs|migrations)\/[\w./-]+)`/g),
    ].map(([, name = '']) => new URL(name, root))
    expect([...links, ...paths].filter((url) => !existsSync(url)).map(({ pathname }) => pathname)).toEqual([])
  })
})

/** Its path in one of the folders of tests. */
const findTest = (name: string) =>
  [`test/${name}.test.ts`, `system/processes/${name}.test.ts`].find((path) => existsSync(path)) ?? name

describe('SECURITY.md', () => {
  it('names tests that exist for every threat', () => {
    const rows = readTables('SECURITY.md').matchAll(/^\| [^|]+ \| [^|]+ \| (`[^|]+) \|$/gm)
    const shown = [...rows].map(([, names = '']) => names)
    expect(shown.length).toBeGreaterThan(10)
    for (const names of shown) {
      const files = [...names.matchAll(/`([\w/.-]+)`/g)].map(([, name = '']) => name)
      const tests = files.filter((name) => !name.endsWith('/'))
      expect(files.length + Number(names.includes('npm run check'))).toBeGreaterThan(0)
      for (const name of tests) expect(read(name.includes('/') ? name : findTest(name))).toContain('it')
    }
  })
})

/** Each step of the tour: the curl line of a `sh` block, and the excerpt of its answer in the `json` block after it. */
const steps = [...readme.matchAll(/```sh\ncurl ([^\n]+)\n```\n\n```json\n([^`]+)```/g)].map(
  ([, line = '', excerpt = '']) => ({ line, excerpt: JSON.parse(excerpt) as object }),
)

const { pool, connection } = await createDemoDatabase()
const server = await startServer(connection)

interface ListedQuote {
  id: string
  currency: { isoCode: string }
}

async function listAllQuotes(key: string): Promise<ListedQuote[]> {
  const all: ListedQuote[] = []
  for (let after = ''; ; after = `&starting_after=${all.at(-1)?.id}`) {
    const { body } = await server.get(`/api/quotes?limit=100${after}`, key)
    const { data, hasMore } = body as { data: ListedQuote[]; hasMore: boolean }
    all.push(...data)
    if (!hasMore) return all
  }
}

const numberOf = (text: string) => Number(text.replaceAll(',', ''))
const CURRENCY_LIST = /\b[A-Z]{3}\b(?:(?:, | and )[A-Z]{3}\b)*/

describe('the demo keys of README.md', () => {
  const rows = [...readme.matchAll(/^\| `(eqs_demo_\w+)` \| `\w+` \| (.+) \|$/gm)].map(
    ([, key = '', shows = '']) => ({ key, shows }),
  )

  it('has a row for every demo key', () => {
    expect(rows.map(({ key }) => key)).toEqual(DEMO_KEYS.map(({ key }) => key))
  })

  it.each(rows)('$key: $shows', async ({ key, shows }) => {
    const isDenied = (await server.get('/api/quotes', key)).status === 401
    expect(shows.startsWith('401: ')).toBe(isDenied)
    if (isDenied) return
    const quotes = await listAllQuotes(key)
    const [, count = '', currencies = ''] =
      new RegExp(`([\\d,]+) quotes in (${CURRENCY_LIST.source})`).exec(shows) ?? []
    expect(numberOf(count)).toBe(quotes.length)
    expect(currencies.match(/[A-Z]{3}/g)?.toSorted()).toEqual(
      [...new Set(quotes.map(({ currency }) => currency.isoCode))].toSorted(),
    )
  })

  it('names the networks that Northgate allows', async () => {
    const { rows: found } = await pool.query<{ allowed_ips: string[] }>(
      `SELECT allowed_ips FROM companies WHERE id = 'co_northgate'`,
    )
    const shows = rows.find(({ key }) => key === 'eqs_demo_northgate')?.shows
    expect(shows?.match(/[\da-f:.]+\/\d+/g)).toEqual(found[0]?.allowed_ips)
  })

  it('some ids of Harborlight and Maison Rivage are the same', async () => {
    const [first, second] = await Promise.all(
      ['eqs_demo_harborlight', 'eqs_demo_maison_rivage'].map(listAllQuotes),
    )
    const ids = new Set(first?.map(({ id }) => id))
    expect(second?.filter(({ id }) => ids.has(id)).length).toBeGreaterThan(0)
  })
})

describe('the tour of README.md', () => {
  it('has a page, a filter by date, an expansion, the next page and an error', () => {
    const marks = ['/quotes?limit', 'service_start_time', 'expand', 'starting_after', 'limit=0']
    expect(steps).toHaveLength(marks.length)
    for (const [i, mark] of marks.entries()) expect(steps[i]?.line).toContain(mark)
  })

  it.each(steps)('curl $line answers what is shown', async ({ line, excerpt }) => {
    const [, key = '', url = ''] =
      /^-g -H 'x-api-key: (\S+)' 'http:\/\/127\.0\.0\.1:3000([^']+)'$/.exec(line) ?? []
    const answer = await server.get(url, key)
    expect(answer.body).toMatchObject(excerpt)
  })
})
