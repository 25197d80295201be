/** Quotes in the application: the list of the API with two more filters, and the page of a quote with its breakdown. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QUOTE_STATES, quoteState } from '../src/core/quotes/quote-state.ts'
import type { Lookups, QuoteListAnswer, QuotePageAnswer } from '../src/console/quotes.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { signedIn } from './support/console.ts'
import { createDemoDatabase } from './support/database.ts'
import { plant, plantMany, quoteApi } from './support/quotes.ts'
import type { QuoteObject } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { watchedPool } from './support/watched-pool.ts'

const database = await createDemoDatabase()
const { pool, connection } = database
const [{ key: KEY, company: COMPANY }] = DEMO_KEYS

const statements: string[] = []
const server = await startServer(connection, {
  console: watchedPool(connection, 'console', (text) => statements.push(text)),
  reports: watchedPool(connection, 'reports', (text) => statements.push(text)),
})
const api = quoteApi(server)
const { call } = await signedIn(server, database, COMPANY)

async function ask<Answer>(path: string, caller = call): Promise<Answer> {
  const { status, text, body } = await caller('GET', path)
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`)
  return body as Answer
}

const listQuotes = (query: string, caller = call) =>
  ask<QuoteListAnswer>(query === '' ? 'quotes' : `quotes?${query}`, caller)
const idsOf = ({ quotes }: QuoteListAnswer) => quotes.map(({ id }) => id)

/** All pages. */
async function listAll(query: string, caller = call): Promise<QuoteListAnswer['quotes']> {
  const all: QuoteListAnswer['quotes'] = []
  for (;;) {
    const after = all.at(-1)?.id
    const cursor = after === undefined ? '' : `&starting_after=${encodeURIComponent(after)}`
    const { quotes, hasMore } = await listQuotes(`${query}${cursor}`, caller)
    all.push(...quotes)
    if (!hasMore) return all
  }
}

interface Quote extends QuoteObject {
  leadId: string
  locationId: string
  eventTypeId: string | null
  sentAt: string | null
  expiresAt: string | null
  bookedAt: string | null
  lostAt: string | null
  currency: { isoCode: string }
  lead: { name: string } | null
  location: { name: string; timeZone: string } | null
  eventType: { name: string } | null
  serviceDays: { serviceStartTime: string; serviceEndTime: string }[]
}

/** Every quote of the company, as the API gives it. */
const world: Quote[] = []
for (let more = true; more;) {
  const cursor = world.length === 0 ? '' : `&starting_after=${world.at(-1)?.id}`
  const page = await api.list(
    `limit=100&expand=data.lead,data.location,data.eventType,data.serviceDays${cursor}`,
    KEY,
  )
  world.push(...(page.data as unknown as Quote[]))
  more = page.hasMore
}
const now = new Date().toISOString()

describe('the table', () => {
  it('shows every quote of the company with the total of the API, newest first', async () => {
    expect(world.length).toBeGreaterThan(200)
    const rows = await listAll('limit=100')
    expect(rows).toEqual(
      world.map((quote) => ({
        id: quote.id,
        number: `Q-${Number(quote.id.slice('quote_'.length))}`,
        state: quoteState(quote, now),
        leadName: quote.lead?.name ?? null,
        locationName: quote.location?.name ?? null,
        eventTypeName: quote.eventType?.name ?? null,
        timeZone: quote.location?.timeZone ?? null,
        createdAt: quote.createdAt,
        firstDay:
          quote.serviceDays[0] === undefined
            ? null
            : { start: quote.serviceDays[0].serviceStartTime, end: quote.serviceDays[0].serviceEndTime },
        dayCount: quote.serviceDays.length,
        currency: quote.currency.isoCode,
        totalPriceCents: quote.totalPriceCents,
      })),
    )
    // The demo world has all of it.
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(QUOTE_STATES))
    expect(rows.some(({ leadName }) => leadName === null)).toBe(true)
    expect(rows.some(({ firstDay }) => firstDay === null)).toBe(true)
  })

  it('has 25 rows per page, and continues after the last row', async () => {
    const first = await listQuotes('')
    expect(idsOf(first)).toEqual(world.slice(0, 25).map(({ id }) => id))
    expect(first).toMatchObject({ hasMore: true, isSearchCut: false })
    const second = await listQuotes(`starting_after=${first.quotes[24]?.id}`)
    expect(idsOf(second)).toEqual(world.slice(25, 50).map(({ id }) => id))
    expect(await listQuotes('starting_after=nope')).toEqual({
      quotes: [],
      hasMore: false,
      isSearchCut: false,
    })
  })

  const DAY_MS = 86_400_000
  const RANGES = ['created_at', 'updated_at', 'service_start_time'] as const
  const NAMES = ['lead_id', 'location_id', 'event_type_id', 'booking_id', ...RANGES] as const

  /** A query of up to three filters that fit, or nearly fit, one of the quotes. */
  const anyQuery = fc
    .record({
      quote: fc.constantFrom(...world),
      names: fc.subarray([...NAMES], { maxLength: 3 }),
      operators: fc.subarray(['gt', 'gte', 'lt', 'lte'], { minLength: 1, maxLength: 2 }),
      days: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90 })),
      isWrong: fc.boolean(),
    })
    .map(({ quote, names, operators, days, isWrong }) => {
      const times = {
        created_at: quote.createdAt,
        updated_at: quote['updatedAt'] as string,
        service_start_time: quote.serviceDays[0]?.serviceStartTime ?? quote.createdAt,
      }
      const ids = {
        lead_id: quote.leadId,
        location_id: quote.locationId,
        event_type_id: quote.eventTypeId ?? '',
        booking_id: (quote['bookingId'] as string | null) ?? '',
      }
      const boundOf = (name: keyof typeof times, operator: string) => {
        const distance = (operator.startsWith('g') ? -days : days) * DAY_MS
        const time = new Date(Date.parse(times[name]) + distance).toISOString()
        return `${name}[${operator}]=${encodeURIComponent(time)}`
      }
      return names
        .flatMap((name) =>
          name in ids
            ? [`${name}=${isWrong && name === 'lead_id' ? 'nobody' : ids[name as keyof typeof ids]}`]
            : operators.map((operator) => boundOf(name as keyof typeof times, operator)),
        )
        .join('&')
    })

  it('filters like the API, for any combination', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.constantFrom(1, 7, 25, 100), async (filters, limit) => {
        const query = `${filters}&limit=${limit}`
        const [ours, theirs] = await Promise.all([listQuotes(query), api.list(query, KEY)])
        expect(idsOf(ours)).toEqual(theirs.data.map(({ id }) => id))
        expect(ours.hasMore).toBe(theirs.hasMore)
        found += ours.quotes.length
      }),
      { numRuns: 150 },
    )
    expect(found).toBeGreaterThan(500)
  })

  it.each(QUOTE_STATES)(
    'shows exactly the quotes with the state %s, with any other filter',
    async (state) => {
      const isIt = (quote: Quote) => quoteState(quote, now) === state
      const expected = world.filter(isIt).map(({ id }) => id)
      expect(expected.length).toBeGreaterThan(0)
      expect((await listAll(`state=${state}`)).map(({ id }) => id)).toEqual(expected)
      await fc.assert(
        fc.asyncProperty(anyQuery, async (filters) => {
          const query = `${filters}&limit=100`
          const matching = new Set<string>()
          for (let cursor = '', more = true; more;) {
            const page = await api.list(`${query}${cursor}`, KEY)
            for (const { id } of page.data) matching.add(id)
            cursor = `&starting_after=${page.data.at(-1)?.id}`
            more = page.hasMore
          }
          const rows = await listAll(`${query}&state=${state}`)
          expect(rows.map(({ id }) => id)).toEqual(expected.filter((id) => matching.has(id)))
        }),
        { numRuns: 20 },
      )
    },
  )

  it('shows the quotes of the contacts that a search finds, in any state', async () => {
    for (const [text, part] of [
      ['bianchi', 'Bianchi'],
      ['BIANCHI h', 'Helena Bianchi'],
      ['petrović dmitri', 'Dmitri Petrović'],
    ] as const) {
      const rows = await listAll(`search=${encodeURIComponent(text)}&limit=100`)
      const expected = world.filter(({ lead }) => lead?.name.includes(part))
      expect(expected.length).toBeGreaterThan(0)
      // By e-mail address and company, too, so there may be more.
      expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(expected.map(({ id }) => id)))
      const drafts = await listAll(`search=${encodeURIComponent(text)}&state=draft`)
      expect(drafts).toEqual(rows.filter(({ state }) => state === 'draft'))
    }
    expect(await listQuotes('search=%20%20')).toEqual(await listQuotes(''))
    expect(idsOf(await listQuotes('search=no-such-person'))).toEqual([])
  })
})

describe('a search', async () => {
  await insertCompany(pool, 'co_search')
  await insertCompany(pool, 'co_other')
  const { call: search } = await signedIn(server, database, 'co_search')
  const names = {
    percent: '100% Cotton',
    underscore: 'under_score',
    quote: "O'Hara",
    slash: String.raw`back\slash`,
  }
  for (const [i, [id, last_name]] of Object.entries(names).entries()) {
    await plant(pool, 'leads', 'co_search', id, { last_name })
    // The list has the newest first.
    const created_at = `2026-01-0${i + 1}T00:00:00Z`
    await plant(pool, 'quotes', 'co_search', `of_${id}`, { lead_id: id, created_at })
  }
  await plant(pool, 'leads', 'co_other', 'theirs', { last_name: "O'Hara" })
  await plant(pool, 'quotes', 'co_other', 'of_theirs', { lead_id: 'theirs' })

  it.each([
    ['100% c', ['of_percent']],
    ['under_s', ['of_underscore']],
    ["o'hara", ['of_quote']],
    ['back\\', ['of_slash']],
    [`' OR true --`, []],
    ['score\0', []],
    // Without a word, everything matches.
    ['%', ['of_slash', 'of_quote', 'of_underscore', 'of_percent']],
    ['💐', ['of_slash', 'of_quote', 'of_underscore', 'of_percent']],
  ])('looks for %j literally', async (text, ids) => {
    expect(idsOf(await listQuotes(`search=${encodeURIComponent(text)}`, search))).toEqual(ids)
  })

  it('uses the newest 500 contacts, and reports if there are more', async () => {
    const leads = Array.from({ length: 502 }, (_, i) => ({
      id: `many_${i}`,
      last_name: 'Numerous',
      created_at: new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString(),
    }))
    await plantMany(pool, 'leads', 'co_search', leads)
    await plantMany(
      pool,
      'quotes',
      'co_search',
      [0, 1, 2, 501].map((i) => ({ id: `of_many_${i}`, lead_id: `many_${i}` })),
    )
    const answer = await listQuotes('search=numerous', search)
    expect(answer.isSearchCut).toBe(true)
    expect(idsOf(answer).toSorted()).toEqual(['of_many_2', 'of_many_501'])
  })

  it('Q21: uses 500 numbers, with or without the prefix, and reports if there are more', async () => {
    const numbered = Array.from({ length: 501 }, (_, i) => ({
      id: `numbered_${i}`,
      number: `Q-${77_000 + i}`,
    }))
    await plantMany(pool, 'quotes', 'co_search', numbered)
    for (const text of ['q-77', '77']) {
      expect((await listQuotes(`search=${text}`, search)).isSearchCut).toBe(true)
      expect(await listAll(`search=${text}&limit=100`, search)).toHaveLength(500)
    }
    expect(idsOf(await listQuotes('search=77500', search))).toEqual(['numbered_500'])
  })
})

describe('the list', () => {
  it.each([
    ['state=nope', 'state'],
    ['state=sent&state=lost', 'state'],
    ['limit=0', 'limit'],
    ['search[]=x', 'search[]'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['created_at=2026-01-01', 'created_at'],
    ['created_at[gte]=yesterday', 'created_at[gte]'],
    ['lead_id[]=x', 'lead_id[]'],
  ])('rejects %s', async (query, param) => {
    const { status, body } = await call('GET', `quotes?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'invalid_parameter', param } })
  })
})

describe('the page of a quote', () => {
  const sample = [
    ...new Set([
      ...world.filter((_, i) => i % 6 === 0).map(({ id }) => id),
      'quote_0257',
      'quote_0267',
      'quote_0275',
    ]),
  ]

  it('has the quote of the API with its relations, and a breakdown with the same total', async () => {
    expect(sample.length).toBeGreaterThanOrEqual(50)
    for (const id of sample) {
      const page = await ask<QuotePageAnswer>(`quotes/${id}`)
      const plain = await api.get(id, '', KEY)
      expect(page.quote).toEqual(plain)
      expect(page.breakdown.totalCents).toBe(plain.totalPriceCents)
      const paths = 'lead,location,eventType,contract,paymentTerms,serviceDays,booking.events'
      const { lead, location, eventType, contract, paymentTerms, serviceDays, booking } = await api.get(
        id,
        `expand=${paths}`,
        KEY,
      )
      const {
        lead: l,
        location: o,
        eventType: t,
        contract: c,
        paymentTerms: p,
        serviceDays: d,
        booking: b,
      } = page
      expect([l, o, t, c, p, d, b]).toEqual([
        lead,
        location,
        eventType,
        contract,
        paymentTerms,
        serviceDays,
        booking,
      ])
      expect(page.state).toBe(quoteState(page.quote, now))
    }
  })

  it('has the invoices of its booking like the API', async () => {
    const booked = world.filter(({ bookingId }) => bookingId !== null).slice(0, 20)
    const statuses = new Set<string>()
    for (const { id, bookingId } of booked) {
      const { invoices } = await ask<QuotePageAnswer>(`quotes/${id}`)
      const { body } = await server.get(`/api/invoice/${String(bookingId)}`, KEY)
      const { invoiceIds, invoiceUrls } = body as { invoiceIds: string[]; invoiceUrls: string[] }
      expect(invoices.map((invoice) => invoice.id)).toEqual(invoiceIds)
      expect(invoices).toHaveLength(invoiceUrls.length)
      for (const { status } of invoices) statuses.add(status)
    }
    expect(statuses.size).toBeGreaterThan(3)
    const open = world.find(({ bookingId }) => bookingId === null)
    expect((await ask<QuotePageAnswer>(`quotes/${open?.id}`)).invoices).toEqual([])
  })

  it('lists what is excluded, with the reason', async () => {
    const torn = await ask<QuotePageAnswer>('quotes/quote_0275')
    expect(torn.breakdown.excluded).toEqual([
      { subject: 'LINE', id: 'line_0275_01', lineId: 'line_0275_01', reason: 'NOT_FOUND' },
    ])
    expect(torn.pricing.lines.find(({ id }) => id === 'line_0275_01')).toMatchObject({ itemFound: false })
    const { lead } = await ask<QuotePageAnswer>('quotes/quote_0257')
    expect(lead).toBeNull()
  })

  it('has a shell command that requests it', async () => {
    const odd = `it's 100% "q" $HOME \`x\` ?#&/ü`
    await plant(pool, 'quotes', COMPANY, odd, {})
    for (const id of ['quote_0246', odd]) {
      const { apiRequest } = await ask<QuotePageAnswer>(`quotes/${encodeURIComponent(id)}`)
      const [, url = ''] = /^curl -H "x-api-key: \$EQS_API_KEY" '([^']+)'$/.exec(apiRequest) ?? []
      const { origin, pathname, search } = new URL(url)
      expect(origin).toBe('http://127.0.0.1:3000')
      const { status, body } = await server.get(pathname + search, KEY)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id,

        serviceDays: expect.any(Array) as unknown,
      })
    }
    await pool.query('DELETE FROM quotes WHERE company_id = $1 AND id = $2', [COMPANY, odd])
  })

  it('responds alike to an unknown, deleted or foreign quote', async () => {
    await plant(pool, 'quotes', 'co_other', 'q_foreign')
    await plant(pool, 'quotes', COMPANY, 'q_deleted', { deleted_at: '2026-01-01T00:00:00Z' })
    const answers = await Promise.all(
      ['q_unknown', 'q_foreign', 'q_deleted', 'x'.repeat(300), '%00'].map((id) =>
        call('GET', `quotes/${id}`),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})

describe('scope', () => {
  it('is the company of the session', async () => {
    const rivage = DEMO_KEYS.find(({ company }) => company === 'co_maison_rivage')
    if (rivage === undefined) throw new Error('the demo world has one company')
    const { call: theirs } = await signedIn(server, database, rivage.company, 'MEMBER')
    const own = await listAll('limit=100', theirs)
    const { data } = await api.list('limit=100', rivage.key)
    expect(own.map(({ id, totalPriceCents }) => [id, totalPriceCents])).toEqual(
      data.map(({ id, totalPriceCents }) => [id, totalPriceCents]),
    )
    const foreignLead = world.find(({ leadId }) => !data.some((quote) => quote['leadId'] === leadId))?.leadId
    expect(idsOf(await listQuotes(`lead_id=${foreignLead}`, theirs))).toEqual([])
    const { locations } = await ask<Lookups>('lookups', theirs)
    const { locations: ours } = await ask<Lookups>('lookups')
    expect(locations.map(({ name }) => name)).not.toEqual(ours.map(({ name }) => name))
  })

  it('is empty without a session', async () => {
    for (const path of ['quotes', 'quotes/quote_0246', 'lookups'])
      expect((await server.call(`/console/${path}`)).status).toBe(401)
  })

  it('includes the locations and event types in the filters, by name', async () => {
    const { locations, eventTypes } = await ask<Lookups>('lookups')
    const named = (rows: { name: string }[]) => rows.map(({ name }) => name)
    expect(locations.length).toBeGreaterThan(2)
    expect(eventTypes.length).toBeGreaterThan(2)
    expect(named(locations)).toEqual(named(locations).toSorted())
    expect(named(eventTypes)).toEqual(named(eventTypes).toSorted())
    expect(locations[0]).toEqual({
      id: expect.any(String) as string,
      name: expect.any(String) as string,
      timeZone: expect.stringMatching(/\//) as string,
    })
  })
})

describe('the number of statements', () => {
  const count = async (path: string) => {
    const before = statements.length
    await ask(path)
    return statements.length - before
  }

  it('does not depend on the content of the page', async () => {
    // Whose session it is, the page, and each kind of what is shown beside the quotes.
    expect(await count('quotes?limit=1')).toBe(6)
    expect(await count('quotes?limit=100')).toBe(6)
    expect(await count('quotes?state=sent&limit=100&location_id=loc_tokyo')).toBe(6)
    expect(await count('quotes?search=a&limit=1')).toBe(9)
    expect(await count('quotes?search=a&limit=100&state=booked')).toBe(9)
  })

  it('does not depend on the content of the quote', async () => {
    await plant(pool, 'quotes', COMPANY, 'q_bare', { lead_id: 'nobody', location_id: 'nowhere' })
    const counts = []
    for (const id of ['q_bare', 'quote_0246', 'quote_0275', 'quote_0001'])
      counts.push(await count(`quotes/${id}`))
    expect(new Set(counts).size).toBe(1)
    await pool.query(`DELETE FROM quotes WHERE company_id = $1 AND id = 'q_bare'`, [COMPANY])
  })

  it('counts statements that filter by company', () => {
    const reads = [...new Set(statements)].filter((text) =>
      /\bFROM (quotes|line_items|leads|locations)\b/.test(text),
    )
    expect(reads.length).toBeGreaterThan(10)
    for (const text of reads) expect(text).toMatch(/company_id = \$1/)
  })
})
