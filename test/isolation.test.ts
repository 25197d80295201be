/** 1: records of other companies behave as if they do not exist, at every endpoint, with every path, filter and cursor. */
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

/** Writes change what is read later, so the responses before and after come from different databases. */
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
 * All that a caller and an operator can see of it but the id of the request, new ids, and times outside the test data. The body
 * is only compared, so its digest is enough.
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

interface Asked {
  request: IsolationRequest
  answer: Answer
  seen: string
}

/** Every request, and every page that an answer links to. */
async function askEverything(company: Company, to: TestServer, all = requests): Promise<Asked[]> {
  const asked: Asked[] = []
  const ask = async (request: IsolationRequest) => {
    let answer = await send(request, company, to)
    // A busy machine sheds load.
    for (let tries = 1; answer.status === 503 && tries < 10; tries++)
      answer = await send(request, company, to)
    asked.push({ request, answer, seen: visible(answer) })
  }
  const askAll = async (left: IsolationRequest[]) => {
    const work = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await ask(next)
    }
    await Promise.all([work(), work(), work(), work()])
  }
  // Writes come last, one endpoint after the other, so that each request finds the same state in both databases.
  await askAll(all.filter(({ method }) => method === 'GET'))
  // Deletions at the very end: other writes need the records.
  const writes = all
    .filter(({ method }) => method !== 'GET')
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  for (const operation of new Set(writes.map((request) => request.operation)))
    await askAll(writes.filter((request) => request.operation === operation))
  const links = new Set(
    asked.flatMap(({ answer }) => answer.text.match(/http:\/\/127\.0\.0\.1:3000\/i\/[\w-]+/g) ?? []),
  )
  for (const link of links)
    await ask({ operation: 'invoice page', method: 'GET', path: new URL(link).pathname })
  const lines = logLines(to)
  for (const one of asked) one.seen += lines.get(one.answer.headers['x-request-id']) ?? 'no line in the log'
  return asked
}

const before = new Map((await askEverything(OURS, serverAlone)).map((one) => [keyOf(one.request), one]))
const after = await askEverything(OURS, server)
const theirs = await askEverything(
  THEIRS,
  server,
  requests.filter(({ path }) => !path.includes('starting_after')),
)
// Files of a worker share modules, so a gigabyte of answers would stay in memory until all files have run.
afterAll(() => {
  before.clear()
  after.length = 0
  theirs.length = 0
})

describe('the matrix', () => {
  it('plants a reference in every column that holds one, but for ownership, which cannot lead astray', async () => {
    const { rows } = await pool.query<{ name: string }>(`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name ~ '_ids?$' AND column_name <> 'company_id'`)
    const { planted, owners } = REFERENCE_COLUMNS
    // Derived from the other columns.
    const derived = [
      'event_assignments.assignee_id',
      'event_assignments.event_id',
      'quote_stretches.quote_id',
    ]
    // Records what actions did: each row belongs to the company of its subject.
    const changes = ['changes', 'audit_entries'].flatMap((table) => [
      `${table}.actor_id`,
      `${table}.subject_id`,
    ])
    // Ownership, without a foreign key or outside of the world format.
    const deliveries = ['webhook_deliveries.endpoint_id', 'quote_questions.quote_id']
    // Only the console reads and writes these; no API request uses them.
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
    '%s shows each company its own records',
    (operation) => {
      for (const [asked, mark, other] of [
        [after, OURS.mark, THEIRS.mark],
        [theirs, THEIRS.mark, OURS.mark],
      ] as const) {
        const answers = asked
          .filter(({ request }) => request.operation === operation)
          .map(({ answer }) => answer)
        const texts = answers.map(({ text }) => text)
        const shows = answers.filter(
          ({ status, text }) =>
            status === 201 ||
            text.includes(mark) ||
            /\/[iq]\/|"deleted":true|"type":"data\.imported"|"type":"conflict_error"|"object":"availability"/.test(
              text,
            ),
        )
        expect(shows.length).toBeGreaterThan(0)
        expect(texts.filter((text) => text.includes(other))).toEqual([])
      }
    },
  )

  it.each(QUOTE_PATHS)('expands %s to a record of the company', async (path) => {
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

  it('is large, and not all of it is not found', () => {
    expect(requests.length).toBeGreaterThan(2_000)
    const found = after.filter(({ answer: { status, text } }) => status < 300 && !text.includes('"data":[]'))
    expect(found.length).toBeGreaterThan(250)
    expect(after.some(({ request }) => request.operation === 'invoice page')).toBe(true)
  })
})

describe('A11: records of other companies behave as if they do not exist', () => {
  it('no response, status, header or log line depends on the data of the other company', () => {
    const changed = after.filter(({ request, seen }) => seen !== before.get(keyOf(request))?.seen)
    expect(changed.map(({ request }) => keyOf(request))).toEqual([])
    expect(after.length).toBe(before.size)
  })

  it('no answer holds an id or a value of the other company', () => {
    const leaks = after.filter(({ answer }) => LEAK.test(answer.text))
    expect(leaks.map(({ request }) => keyOf(request))).toEqual([])
  })

  it('nor the other way round', () => {
    const leaks = theirs.filter(({ answer }) => /OURS|co_ours|2021-/.test(answer.text))
    expect(leaks.map(({ request }) => keyOf(request))).toEqual([])
  })

  it('ids of the other company and ids that do not exist get identical responses', () => {
    const byRequest = new Map(after.map((one) => [keyOf(one.request), one]))
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

describe('X7: an id that points to another company’s record is still shown as the id', () => {
  it.each([
    ['leadId', 'lead'],
    ['locationId', 'location'],
    ['eventTypeId', 'eventType'],
    ['taxRateId', 'taxRate'],
    ['paymentTermsId', 'paymentTerms'],
    ['contractId', 'contract'],
    ['bookingId', 'booking'],
  ])('%s of a quote; the member %s is null', async (field, member) => {
    expect(await getQuote(`quote_with_${field}`, member)).toMatchObject({
      [field]: `x_${member}`,
      [member]: null,
    })
  })

  it('of a discount or a charge, and the entry is missing', async () => {
    const quote = await getQuote('quote_with_discountId', 'discounts')
    expect(quote).toMatchObject({ discountId: 'x_discount', discounts: [] })
    const charged = await getQuote('quote_with_serviceChargeIds', 'serviceCharges')
    expect(charged['serviceCharges']).toMatchObject([{ id: 'serviceCharge_1' }])
  })

  it('inside a booking and its events', async () => {
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
    const event = (id: string) => events.find((one) => one['id'] === id)
    expect(event('event_with_locationId')).toMatchObject({ locationId: 'x_location', location: null })
    for (const kind of ['service', 'addon', 'staff', 'resource']) {
      const member = kind === 'staff' ? 'staff' : `${kind}s`
      expect(event(`event_with_${kind}Ids`)?.[member]).toMatchObject([{ id: `${kind}_1` }])
    }
    expect(event('event_with_bookingId')).toBeUndefined()
  })
})

describe('P4, Q8: totals and filters across companies', () => {
  it('a total leaves out what belongs to another company, as what belongs to nobody', async () => {
    const plain = (await getQuote('quote_with_leadId')).totalPriceCents
    // Two fees and a line of 12.00 each, less 12.5 %, and the charge and the tax of 12.5 % each.
    expect(plain).toBe(3_987)
    expect((await getQuote('quote_with_taxRateId')).totalPriceCents).toBe(3_544)
    expect((await getQuote('quote_with_discountId')).totalPriceCents).toBe(4_556)
  })

  it('a quote can be found by an id that leads to another company, since the id is its own', async () => {
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
