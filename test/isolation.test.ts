import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/http/endpoints.ts'
import { createDatabase } from './support/database.ts'
import { plantFormResponse, plantInvoice } from './support/older.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer, CallOptions } from './support/server.ts'

const KEYS = { ours: 'key-of-the-first-company', theirs: 'key-of-the-second-company' } as const
const { pool, connection } = await createDatabase()
const server = await startServer(connection)

for (const [company, whose] of [
  ['co_1', 'ours'],
  ['co_2', 'theirs'],
] as const) {
  await insertCompany(pool, company, { key: KEYS[whose] })
  await plant(pool, 'resources', company, `res_${whose}`, { location_id: `loc_${whose}` })
  await plant(pool, 'staff', company, `staff_${whose}`)
  await plant(pool, 'events', company, `event_${whose}`)
  await plant(pool, 'quotes', company, `quote_${whose}`, {
    lead_id: `lead_${whose}`,
    location_id: `loc_${whose}`,
    booking_id: `book_${whose}`,
    event_type_id: `type_${whose}`,
  })
  await plantInvoice(pool, company, `inv_${whose}`, { booking_id: `book_${whose}` })
  await plantFormResponse(pool, company, `resp_${whose}`, [{ question: { id: 'where', title: 'Where?' } }])
  // A cursor finds something only when a record follows it.
  await plant(pool, 'resources', company, 'res_older', { created_at: '2001-01-01T00:00Z' })
  await plant(pool, 'quotes', company, 'quote_older', { created_at: '2001-01-01T00:00Z' })
}

interface Request {
  path: string
  body?: string
}

/**
 * For every endpoint each way to name a record: such a request finds something of ours with our key, and with `theirs`
 * in the place of `ours` something of theirs with their key. A new endpoint fails here until it has its line.
 */
const REQUESTS: Record<string, Request[]> = {
  listQuotes: [
    { path: '/api/quotes?lead_id=lead_ours' },
    { path: '/api/quotes?location_id=loc_ours' },
    { path: '/api/quotes?booking_id=book_ours' },
    { path: '/api/quotes?event_type_id=type_ours' },
    { path: '/api/quotes?starting_after=quote_ours' },
  ],
  getQuote: [
    { path: '/api/quotes/quote_ours' },
    { path: '/api/quotes/quote_ours?expand[]=booking.invoices' },
  ],
  listResources: [
    { path: '/api/resources?location_id=loc_ours' },
    { path: '/api/resources?starting_after=res_ours' },
  ],
  getResource: [{ path: '/api/resources/res_ours' }],
  getStaff: [{ path: '/api/staff/staff_ours' }],
  createTask: [{ path: '/api/task/create', body: '{"eventId":"event_ours","description":"Call"}' }],
  getFormResponse: [
    { path: '/api/form-response/resp_ours' },
    { path: '/api/form-response/resp_ours?format=flat' },
  ],
  getInvoiceReference: [{ path: '/api/invoice/book_ours' }],
}

const cases = ENDPOINTS.flatMap(({ operation, method }) =>
  (REQUESTS[operation] ?? []).map(
    (request) => [operation, `${request.path} ${request.body ?? ''}`, method, request] as const,
  ),
)

function send(method: string, { path, body }: Request, whose: string, key: string): Promise<Answer> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const named = body?.replace('ours', whose)
  const options: CallOptions = named === undefined ? { method, headers } : { method, headers, body: named }
  return server.call(path.replace('ours', whose), options)
}

/** Everything a caller can see but the time and the id of the request. */
function visible({ status, headers, text }: Answer): object {
  const { date: _, 'x-request-id': __, ...rest } = headers
  return { status, headers: Object.entries(rest), text }
}

describe('1 records of other companies behave as if they do not exist', () => {
  it('every endpoint is covered here', () => {
    expect(Object.keys(REQUESTS).toSorted()).toEqual(ENDPOINTS.map(({ operation }) => operation).toSorted())
  })

  it.each(cases)(
    '%s %s finds ours with our key, and theirs with their key',
    async (_, __, method, request) => {
      for (const whose of ['ours', 'theirs'] as const) {
        const answer = await send(method, request, whose, KEYS[whose])
        expect([200, 201]).toContain(answer.status)
        expect(answer.text).toMatch(new RegExp(`_${whose}|_older`))
      }
    },
  )

  it.each(cases)(
    '%s %s: theirs and an unknown one are the same, byte for byte',
    async (_, __, method, request) => {
      for (const verb of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        const theirs = await send(verb, request, 'theirs', KEYS.ours)
        const nobodys = await send(verb, request, 'nobody', KEYS.ours)
        expect(visible(theirs)).toEqual(visible(nobodys))
        expect(theirs.text).not.toMatch(/theirs|_older/)
      }
    },
  )

  it.each(cases)('%s %s: so are their lines in the log', async (_, __, method, request) => {
    const lines: object[] = []
    for (const whose of ['theirs', 'nobody']) {
      const from = server.log.length
      await send(method, request, whose, KEYS.ours)
      for (const line of server.log.slice(from))
        lines.push({ ...line, time: '', durationMs: 0, requestId: '' })
    }
    expect(lines.length).toBe(2)
    expect(lines[0]).toEqual(lines[1])
  })
})
