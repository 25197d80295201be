/** Runs the requests of README.md and docs/tour.md, and compares the demo keys with the demo data. */
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { announceDemo } from '../src/server/demo.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { DEMO_PASSWORD, DEMO_USERS } from '../src/world/demo/users.ts'
import { createDemoDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

/** Without the blanks that align the columns of tables. */
const read = (path: string) =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').replaceAll(/ {2,}\|/g, ' |')
const tour = read('docs/tour.md')

interface Step {
  line: string
  excerpt: object
}

/** Each curl line in a `sh` block, with the excerpt of its answer in the `json` block after it. */
const stepsOf = (text: string): Step[] =>
  [...text.matchAll(/```sh\ncurl ([^\n]+)\n```\n\n```json\n([^`]+)```/g)].map(
    ([, line = '', excerpt = '']) => ({
      line,
      excerpt: JSON.parse(excerpt) as object,
    }),
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

describe('the demo keys of docs/tour.md', () => {
  const rows = [...tour.matchAll(/^\| `(eqs_demo_\w+)` \| `\w+` \| (.+) \|$/gm)].map(
    ([, key = '', shows = '']) => ({ key, shows }),
  )

  it('has a row for every demo key', () => {
    expect(rows.map(({ key }) => key)).toEqual(DEMO_KEYS.map(({ key }) => key))
    for (const { key, company, shows } of DEMO_KEYS)
      expect(tour).toContain(`| \`${key}\` | \`${company}\` | ${shows} |`)
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

async function expectAnswer({ line, excerpt }: Step): Promise<void> {
  const [, key = '', url = ''] =
    /^(?:-g )?-H 'x-api-key: (\S+)' 'http:\/\/127\.0\.0\.1:3000([^']+)'$/.exec(line) ?? []
  const answer = await server.get(url, key)
  expect(answer.body).toMatchObject(excerpt)
}

describe('docs/tour.md', () => {
  const steps = stepsOf(tour)

  it('has a page, a filter by date, an expansion, the next page and an error', () => {
    const marks = ['/quotes?limit', 'service_start_time', 'expand', 'starting_after', 'limit=0']
    expect(steps).toHaveLength(marks.length)
    for (const [i, mark] of marks.entries()) expect(steps[i]?.line).toContain(mark)
  })

  it.each(steps)('curl $line answers what is shown', expectAnswer)
})

describe('README.md', () => {
  const steps = stepsOf(read('README.md'))

  it('has one request', () => {
    expect(steps).toHaveLength(1)
  })

  it.each(steps)('curl $line answers what is shown', expectAnswer)

  it.each(steps)('curl $line is what `npm start` prints', async ({ line }) => {
    const printed = vi.spyOn(console, 'log').mockReturnValue()
    await announceDemo({
      data: pool,
      keys: pool,
      appSecrets: ['a secret of thirty-two characters'],
      publicUrl: () => 'http://127.0.0.1:3000',
      linksNameCompany: false,
      host: '127.0.0.1',
    })
    const lines = printed.mock.calls.flat()
    printed.mockRestore()
    expect(lines).toContain(`Try it:   curl ${line}`)
    const [{ email }] = DEMO_USERS
    expect(lines).toContain(`Sign in:  http://127.0.0.1:3000/ as ${email}, password ${DEMO_PASSWORD}`)
    expect(read('README.md').replaceAll(/\s+/g, ' ')).toContain(
      `as \`${email}\` with the password \`${DEMO_PASSWORD}\``,
    )
  })
})
