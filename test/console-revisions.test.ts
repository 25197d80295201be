import { describe, expect, it } from 'vitest'
import { signedIn } from './support/console.ts'
import { ACCEPT, createCustomerPages } from './support/customer-quote.ts'

const { pool, connection, server, plantQuote, send, sentQuote, open, post, api } = await createCustomerPages()
const { call } = await signedIn(server, { pool, connection }, 'co_1', 'MEMBER')
const { call: theirs } = await signedIn(server, { pool, connection }, 'co_2')

describe('GET /console/quotes/:id/revisions', () => {
  it('V22: is empty until the quote is sent', async () => {
    const { body } = await call('GET', `quotes/${await plantQuote()}/revisions`)
    expect(body).toEqual({ revisions: [], url: null, hasChanges: false, questions: [] })
  })

  it('V22: lists revisions with their times and totals, the link and messages of the customer', async () => {
    const { id } = await sentQuote()
    expect((await call('GET', `quotes/${id}/revisions`)).body).toMatchObject({ hasChanges: false })
    await pool.query("UPDATE line_items SET price_cents = 20000 WHERE quote_id = $1 AND id LIKE 'bar_%'", [
      id,
    ])
    expect((await call('GET', `quotes/${id}/revisions`)).body).toMatchObject({ hasChanges: true })
    const path = await send(id)
    await open(path)
    await post(`${path}/question`, { text: 'Is parking free?' })
    await post(`${path}/accept`, ACCEPT)
    expect((await call('GET', `quotes/${id}/revisions`)).body).toMatchObject({
      revisions: [
        {
          revision: 2,
          totalCents: 25_300,
          currency: 'USD',
          viewedAt: expect.any(String),
          acceptedName: 'Ada Noor',
          canceledAt: null,
        },
        { revision: 1, totalCents: 14_300, viewedAt: null, acceptedAt: null, acceptedName: null },
      ],
      url: `http://127.0.0.1:3000${path}`,
      hasChanges: false,
      questions: [{ kind: 'QUESTION', name: 'Ada Noor', text: 'Is parking free?', revision: 2 }],
    })
    await pool.query('UPDATE bookings SET canceled_at = now() WHERE quote_id = $1', [id])
    expect((await call('GET', `quotes/${id}/revisions`)).body).toMatchObject({
      revisions: [{ acceptedName: 'Ada Noor', canceledAt: expect.any(String) }, { canceledAt: null }],
    })
    expect((await theirs('GET', `quotes/${id}/revisions`)).status).toBe(404)
  })
})

describe('GET /console/quotes/:id/differences', () => {
  it('V22: compares two revisions of the quote', async () => {
    const { id } = await sentQuote()
    await api('POST', `quotes/${id}`, { guestCount: 90 })
    await send(id)
    const { body } = await call('GET', `quotes/${id}/differences?from=1&to=2`)
    expect(body).toEqual({ differences: [{ part: 'Event', label: 'Guests', before: '80', after: '90' }] })
    for (const query of ['from=1&to=3', 'from=1&to=2147483648', 'from=0&to=1', 'from=x&to=1', '']) {
      expect([query, (await call('GET', `quotes/${id}/differences?${query}`)).status >= 400]).toEqual([
        query,
        true,
      ])
    }
    expect((await theirs('GET', `quotes/${id}/differences?from=1&to=2`)).status).toBe(404)
  })
})
