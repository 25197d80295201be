/** Records of other companies behave as if they do not exist, at every endpoint, with every path, filter and cursor. */
import { hash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { QUOTE_PATHS } from '../src/api/expansion/relations.ts'
import { createDatabase } from './support/database.ts'
import { isolationRequests, keyOf } from './support/isolation-requests.ts'
import type { IsolationRequest } from './support/isolation-requests.ts'
import { startServer } from './support/server.ts'
import type { Answer, TestServer } from './support/server.ts'
import {
  LEAK,
  OURS,
  REFERENCE_COLUMNS,
  THEIRS,
  recordsOfOurs,
  recordsOfTheirs,
} from './support/two-companies.ts'
import type { Company } from './support/two-companies.ts'
import { WEBHOOK_RECORDS, plantWebhooks } from './support/two-companies-webhooks.ts'
import { importValid } from './support/world.ts'

/** Writes affect later reads, so responses with and without the other company come from two databases. */
const alone = await createDatabase()
const { pool, connection } = await createDatabase()
await importValid(alone.connection, recordsOfOurs())
await importValid(connection, recordsOfOurs())
await importValid(connection, recordsOfTheirs())
await plantWebhooks(alone.pool, OURS)
await plantWebhooks(pool, OURS)
await plantWebhooks(pool, THEIRS)
const serverAlone = await startServer(alone.connection)
const server = await startServer(connection)
const requests = isolationRequests([...recordsOfOurs(), ...recordsOfTheirs(), ...WEBHOOK_RECORDS])

const send = (
  { method, path, body }: IsolationRequest,
  company: Company,
  to: TestServer = server,
): Promise<Answer> => {
  const headers = { 'x-api-key': company.key, 'content-type': 'application/json' }
  return to.call(path, body === undefined ? { method, headers } : { method, headers, body })
}

/**
 * Everything that a client can see, except the request id, new ids and times outside the test data. The body
 * is only compared, so a digest suffices.
 */
function visible({ status, headers, text }: Answer): string {
  const { date: _, 'x-request-id': __, ...rest } = headers
  const body = text
    .replaceAll(/"id":"(?:task|lead|quote|whe)_[0-9a-f-]{36}"|"secret":"[^"]+"/g, '')
    .replaceAll(/"(?!2021|2022)\d{4}-[^"]*Z"/g, '""')
  return JSON.stringify([status, Object.entries(rest), hash('sha256', body)])
}

function logLines({ log }: TestServer): Map<unknown, string> {
  const lines = new Map<unknown, string>()
  for (const { requestId, time: _, durationMs: __, ...line } of log)
    lines.set(requestId, (lines.get(requestId) ?? '') + JSON.stringify(line))
  return lines
}

interface Exchange {
  request: IsolationRequest
  answer: Answer
  seen: string
}

/** Sends every request, and opens every page that a response links to. */
async function sendAll(company: Company, to: TestServer, all = requests): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const exchange = async (request: IsolationRequest) => {
    let answer = await send(request, company, to)
    // Retries if a slow machine sheds load.
    for (let tries = 1; answer.status === 503 && tries < 10; tries++)
      answer = await send(request, company, to)
    exchanges.push({ request, answer, seen: visible(answer) })
  }
  const exchangeAll = async (queue: IsolationRequest[]) => {
    const worker = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await exchange(next)
    }
    await Promise.all([worker(), worker(), worker(), worker()])
  }
  // Writes come last, one endpoint after the other: each request finds the same state in both databases.
  await exchangeAll(all.filter(({ method }) => method === 'GET'))
  // Deletions come at the end, because other writes need the records.
  const writes = all
    .filter(({ method }) => method !== 'GET')
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  for (const operation of new Set(writes.map((request) => request.operation)))
    await exchangeAll(writes.filter((request) => request.operation === operation))
  const links = new Set(
    exchanges.flatMap(({ answer }) => answer.text.match(/http:\/\/127\.0\.0\.1:3000\/i\/[\w-]+/g) ?? []),
  )
  for (const link of links)
    await exchange({ operation: 'invoice page', method: 'GET', path: new URL(link).pathname })
  const lines = logLines(to)
  for (const done of exchanges)
    done.seen += lines.get(done.answer.headers['x-request-id']) ?? 'no line in the log'
  return exchanges
}

const before = new Map(
  (await sendAll(OURS, serverAlone)).map((exchange) => [keyOf(exchange.request), exchange]),
)
const after = await sendAll(OURS, server)
const theirs = await sendAll(
  THEIRS,
  server,
  requests.filter(({ path }) => !path.includes('starting_after')),
)
// Test files of a worker share modules, so a gigabyte of responses would stay in memory until all files have run.
afterAll(() => {
  before.clear()
  after.length = 0
  theirs.length = 0
})

describe('the test data', () => {
  it('has a foreign reference in every reference column except ownership', async () => {
    const { rows } = await pool.query<{ name: string }>(`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name ~ '_ids?$' AND column_name <> 'company_id'`)
    const { planted, owners } = REFERENCE_COLUMNS
    // Derived from other columns.
    const derived = [
      'event_assignments.assignee_id',
      'event_assignments.event_id',
      'quote_stretches.quote_id',
    ]
    // Written by actions: each row belongs to the company of its subject.
    const changes = ['changes', 'audit_entries'].flatMap((table) => [
      `${table}.actor_id`,
      `${table}.subject_id`,
    ])
    // Ownership without a foreign key or outside the world format.
    const deliveries = ['webhook_deliveries.endpoint_id', 'quote_questions.quote_id']
    // Used only by the console.
    const console = [
      'api_key_uses.key_id',
      'companies.default_contract_id',
      'companies.default_payment_terms_id',
      'companies.default_service_charge_ids',
      'companies.default_tax_rate_id',
      'mail_secrets.mail_id',
      'mails.record_id',
      'password_resets.user_id',
      'request_log.key_id',
      'request_log.request_id',
      'sessions.user_id',
    ]
    expect([...planted, ...owners, ...derived, ...changes, ...deliveries, ...console].toSorted()).toEqual(
      rows.map(({ name }) => name).toSorted(),
    )
    expect(planted.length).toBeGreaterThan(25)
  })

  it.each(ENDPOINTS.map(({ operation }) => operation))(
    'shows each company only its own records: %s',
    (operation) => {
      for (const [exchanges, mark, otherMark] of [
        [after, OURS.mark, THEIRS.mark],
        [theirs, THEIRS.mark, OURS.mark],
      ] as const) {
        const answers = exchanges
          .filter(({ request }) => request.operation === operation)
          .map(({ answer }) => answer)
        const texts = answers.map(({ text }) => text)
        const withRecords = answers.filter(
          ({ status, text }) =>
            status === 201 ||
            text.includes(mark) ||
            /\/[iq]\/|"deleted":true|"type":"data\.imported"|"type":"conflict_error"|"object":"availability"/.test(
              text,
            ),
        )
        expect(withRecords.length).toBeGreaterThan(0)
        expect(texts.filter((text) => text.includes(otherMark))).toEqual([])
      }
    },
  )

  it.each(QUOTE_PATHS)('has a record of the company at path %s', async (path) => {
    for (const company of [OURS, THEIRS]) {
      const { body } = await send(
        { operation: '', method: 'GET', path: `/api/quotes/quote_1?expand[]=${path}` },
        company,
      )
      const found = path
        .split('.')
        .reduce<unknown[]>(
          (parents, name) => parents.flatMap((parent) => (parent as Record<string, unknown>)[name] ?? []),
          [body],
        )
      expect(found.length).toBeGreaterThan(0)
      for (const object of found)
        expect(JSON.stringify(object)).toMatch(
          new RegExp(`${company.mark}|"quoteId":"quote_1"|"companyId":"${company.id}"`),
        )
    }
  })

  it('has more than 2,000 requests, at least 250 of which find records', () => {
    expect(requests.length).toBeGreaterThan(2_000)
    const found = after.filter(({ answer: { status, text } }) => status < 300 && !text.includes('"data":[]'))
    expect(found.length).toBeGreaterThan(250)
    expect(after.some(({ request }) => request.operation === 'invoice page')).toBe(true)
  })
})

describe('A11: records of other companies', () => {
  it('do not change any status, header, body or log line', () => {
    const changed = after.filter(({ request, seen }) => seen !== before.get(keyOf(request))?.seen)
    expect(changed.map(({ request }) => keyOf(request))).toEqual([])
    expect(after.length).toBe(before.size)
  })

  it('do not appear in any response', () => {
    const leaks = after.filter(({ answer }) => LEAK.test(answer.text))
    expect(leaks.map(({ request }) => keyOf(request))).toEqual([])
  })

  it('do not appear in any response to the other company', () => {
    const leaks = theirs.filter(({ answer }) => /OURS|co_ours|2021-/.test(answer.text))
    expect(leaks.map(({ request }) => keyOf(request))).toEqual([])
  })

  it('get the same responses as ids that do not exist', () => {
    const byRequest = new Map(after.map((exchange) => [keyOf(exchange.request), exchange]))
    const foreign = after.filter(({ request }) => /only_theirs_/.test(keyOf(request)))
    expect(foreign.length).toBeGreaterThan(200)
    for (const { request, seen } of foreign) {
      const unknown = byRequest.get(keyOf(request).replaceAll(/only_theirs_\w+/g, 'no_such_id'))
      expect([keyOf(request), unknown?.seen]).toEqual([keyOf(request), seen])
    }
  })
})

interface Quote {
  [member: string]: unknown
  totalPriceCents: number
}

const getQuote = async (id: string, ...paths: string[]) =>
  (await server.get(`/api/quotes/${id}?${paths.map((path) => `expand[]=${path}`).join('&')}`, OURS.key))
    .body as Quote

describe('X7: a reference to a record of another company', () => {
  it.each([
    ['leadId', 'lead'],
    ['locationId', 'location'],
    ['eventTypeId', 'eventType'],
    ['taxRateId', 'taxRate'],
    ['paymentTermsId', 'paymentTerms'],
    ['contractId', 'contract'],
    ['bookingId', 'booking'],
  ])('keeps %s of a quote, and expands %s to null', async (field, member) => {
    expect(await getQuote(`quote_with_${field}`, member)).toMatchObject({
      [field]: `x_${member}`,
      [member]: null,
    })
  })

  it('keeps ids of discounts and charges, and omits the entries', async () => {
    const quote = await getQuote('quote_with_discountId', 'discounts')
    expect(quote).toMatchObject({ discountId: 'x_discount', discounts: [] })
    const charged = await getQuote('quote_with_serviceChargeIds', 'serviceCharges')
    expect(charged['serviceCharges']).toMatchObject([{ id: 'serviceCharge_1' }])
  })

  it('keeps ids in bookings and events, and omits the records', async () => {
    for (const [field, member] of [
      ['leadId', 'lead'],
      ['eventTypeId', 'eventType'],
    ]) {
      const { booking } = await getQuote(`quote_to_booking_with_${field}`, `booking.${member}`)
      expect(booking).toMatchObject({ [field ?? '']: `x_${member}`, [member ?? '']: null })
    }
    const members = ['location', 'services', 'staff', 'addons', 'resources'].map(
      (name) => `booking.events.${name}`,
    )
    const { booking } = await getQuote('quote_1', ...members)
    const { events } = booking as { events: Record<string, unknown>[] }
    const event = (id: string) => events.find((candidate) => candidate['id'] === id)
    expect(event('event_with_locationId')).toMatchObject({ locationId: 'x_location', location: null })
    for (const kind of ['service', 'addon', 'staff', 'resource']) {
      const member = kind === 'staff' ? 'staff' : `${kind}s`
      expect(event(`event_with_${kind}Ids`)?.[member]).toMatchObject([{ id: `${kind}_1` }])
    }
    expect(event('event_with_bookingId')).toBeUndefined()
  })
})

describe('P4, Q8: totals and filters across companies', () => {
  it('calculates totals without definitions of another company', async () => {
    const plain = (await getQuote('quote_with_leadId')).totalPriceCents
    // Two fees and a line of 12.00 each, minus a discount of 12.5 %, plus charge and tax of 12.5 % each.
    expect(plain).toBe(3_987)
    expect((await getQuote('quote_with_taxRateId')).totalPriceCents).toBe(3_544)
    expect((await getQuote('quote_with_discountId')).totalPriceCents).toBe(4_556)
  })

  it('filters quotes by stored ids, even of records of another company', async () => {
    for (const [name, id] of [
      ['lead_id', 'lead'],
      ['location_id', 'location'],
      ['booking_id', 'booking'],
      ['event_type_id', 'eventType'],
    ]) {
      const { body } = await server.get(`/api/quotes?${name}=x_${id}&limit=100`, OURS.key)
      const { data } = body as { data: { id: string }[] }
      expect(data.map((quote) => quote.id)).toEqual([`quote_with_${id}Id_of_bare`, `quote_with_${id}Id`])
    }
  })
})
