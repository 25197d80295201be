/** GET, POST /leads and /leads/{id}. */
import { describe, expect, it } from 'vitest'
import { readChanges } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
for (const [id, day, email] of [
  ['l_1', 1, 'Ada@Example.com'],
  ['l_2', 2, 'ada@example.com'],
  ['l_3', 2, null],
  ['l_4', 3, 'ÄDA@example.com'],
] as const) {
  const time = `2026-01-0${day}T00:00:00Z`
  await plant(pool, 'leads', 'co_1', id, { created_at: time, updated_at: time, email, first_name: id })
}
await plant(pool, 'leads', 'co_2', 'l_foreign', { first_name: 'Foreign' })
const server = await startServer(connection)

interface Lead {
  id: string
  name: string
  firstName: string | null
}

const list = async (query = '') => {
  const { status, body, headers, text } = await server.get(`/api/leads${query}`, KEY)
  expect(status, text).toBe(200)
  const { data, hasMore } = body as { data: Lead[]; hasMore: boolean }
  return { ids: data.map(({ id }) => id), hasMore, cursor: headers['x-cursor'] }
}
const post = (path: string, body: object) =>
  server.call(path, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const errorOf = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  ...(body as { error: object }).error,
})
const updatedAt = async (id: string) => {
  const { rows } = await pool.query<{ at: string }>(
    `SELECT updated_at::text AS at FROM leads WHERE company_id = 'co_1' AND id = $1`,
    [id],
  )
  return rows[0]?.at
}

describe('GET /leads', () => {
  it('I1: lists newest first, then by id', async () => {
    expect(await list()).toEqual({ ids: ['l_4', 'l_3', 'l_2', 'l_1'], hasMore: false, cursor: undefined })
  })

  it('I1, R17: continues after a cursor', async () => {
    expect(await list('?limit=2')).toMatchObject({ ids: ['l_4', 'l_3'], hasMore: true })
    expect(await list('?limit=2&starting_after=l_3')).toMatchObject({ ids: ['l_2', 'l_1'], hasMore: false })
  })

  it.each(['unknown', 'l_foreign', '', '%00'])('I1, R19: returns an empty page after %j', async (cursor) => {
    expect(await list(`?starting_after=${cursor}`)).toEqual({ ids: [], hasMore: false, cursor: 'not-found' })
  })

  it('I1: returns an empty page after a lead that does not match the filters', async () => {
    expect(await list('?email=ada@example.com&starting_after=l_3')).toMatchObject({ cursor: 'not-found' })
  })

  it('I3: finds complete email addresses, ignoring the case of A to Z', async () => {
    expect((await list('?email=ADA@example.COM')).ids).toEqual(['l_2', 'l_1'])
    expect((await list('?email=%C3%84da@example.com')).ids).toEqual(['l_4'])
    expect((await list('?email=%C3%A4da@example.com')).ids).toEqual([])
    expect((await list('?email=ada')).ids).toEqual([])
    expect((await list('?email=')).ids).toEqual([])
    expect((await list('?email=%00')).ids).toEqual([])
  })

  it.each([
    ['created_at[gt]', ['l_4']],
    ['created_at[gte]', ['l_4', 'l_3', 'l_2']],
    ['created_at[lt]', ['l_1']],
    ['created_at[lte]', ['l_3', 'l_2', 'l_1']],
    ['updated_at[gt]', ['l_4']],
    ['updated_at[gte]', ['l_4', 'l_3', 'l_2']],
    ['updated_at[lt]', ['l_1']],
    ['updated_at[lte]', ['l_3', 'l_2', 'l_1']],
  ])('I2: filters by %s', async (name, ids) => {
    expect((await list(`?${name}=2026-01-02T00:00:00Z`)).ids).toEqual(ids)
    const [first = '', ...rest] = ids
    expect((await list(`?${name}=2026-01-02T00:00:00Z&starting_after=${first}`)).ids).toEqual(rest)
  })

  it('I2: combines filters', async () => {
    const both = '?email=ada@example.com&created_at[gte]=2026-01-02T00:00:00Z'
    expect((await list(both)).ids).toEqual(['l_2'])
    expect((await list(`${both}&updated_at[gt]=2026-01-02T00:00:00Z`)).ids).toEqual([])
  })

  it.each([
    ['limit=0', 'limit'],
    ['created_at=2026-01-01T00:00:00Z', 'created_at'],
    ['updated_at[gt]=yesterday', 'updated_at[gt]'],
    ['email=a&email=b', 'email'],
    ['expand[]=data.quotes', 'expand'],
  ])('I4, R3: rejects %s', async (query, param) => {
    expect(errorOf(await server.get(`/api/leads?${query}`, KEY))).toMatchObject({ status: 400, param })
  })
})

describe('GET /leads/{id}', () => {
  it('I4, O3: returns the lead', async () => {
    expect((await server.get('/api/leads/l_1', KEY)).body).toEqual({
      object: 'lead',
      id: 'l_1',
      name: 'l_1',
      firstName: 'l_1',
      lastName: null,
      email: 'Ada@Example.com',
      phone: null,
      companyName: null,
    })
  })

  it.each(['unknown', 'l_foreign', '%00'])('I4, A11: is 404 for %s', async (id) => {
    expect(errorOf(await server.get(`/api/leads/${id}`, KEY))).toEqual({
      status: 404,
      type: 'invalid_request_error',
      code: 'not_found',
      message: 'Lead not found',
      param: 'id',
    })
  })

  it('I4: rejects any expansion', async () => {
    expect(errorOf(await server.get('/api/leads/l_1?expand[]=quotes', KEY))).toMatchObject({
      status: 400,
      param: 'expand',
    })
  })
})

describe('POST /leads', () => {
  it('W2, I5: creates a lead and returns it like a GET', async () => {
    const created = await post('/api/leads', { firstName: 'Nadia', lastName: 'Okafor', email: null })
    expect(created.status).toBe(201)
    const { id } = created.body as Lead
    expect(created.body).toMatchObject({ object: 'lead', name: 'Nadia Okafor', email: null })
    expect((await server.get(`/api/leads/${id}`, KEY)).body).toEqual(created.body)
    expect((await list('?limit=1')).ids).toEqual([id])
    expect((await server.get(`/api/leads/${id}`, OTHER_KEY)).status).toBe(404)
  })

  it('F7: records the key as the actor', async () => {
    const { body } = await post('/api/leads', { companyName: 'Foxglove' })
    const { id } = body as Lead
    const changes = await server.get(`/api/changes?object_id=${id}`, KEY)
    expect((changes.body as { data: object[] }).data).toMatchObject([
      {
        type: 'lead.created',
        actor: { type: 'apiKey', id: `key of ${KEY}`, name: 'Test' },
        subject: { object: 'lead', id },
        data: { object: body },
        previous: {},
      },
    ])
  })

  it.each([[{}], [{ firstName: null }], [{ email: null, phone: '' }], [{ firstName: ' ' }]])(
    'I5: rejects %j',
    async (body) => {
      const error = errorOf(await post('/api/leads', body))
      const message = 'Send at least one of firstName, lastName, email, phone, companyName.'
      expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', message })
      expect(error).not.toHaveProperty('param')
    },
  )
})

describe('POST /leads/{id}', () => {
  it('W3: changes the members in the body and clears null members', async () => {
    const before = await updatedAt('l_4')
    const first = await post('/api/leads/l_4', { lastName: 'Berg', email: null })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ id: 'l_4', name: 'l_4 Berg', firstName: 'l_4', email: null })
    expect(await updatedAt('l_4')).not.toBe(before)
    const change = (await readChanges(pool)).find(({ subject }) => subject === 'lead l_4')
    expect(change).toMatchObject({
      type: 'lead.updated',
      data: { object: first.body },
      previous: { name: 'l_4', lastName: null, email: 'ÄDA@example.com' },
    })
  })

  it.each([[{}], [{ firstName: 'l_1' }], [{ firstName: 'l_1', phone: null }]])(
    'W8: changes and records nothing for %j',
    async (body) => {
      const before = await updatedAt('l_1')
      const { status, body: lead } = await post('/api/leads/l_1', body)
      expect(status).toBe(200)
      expect((await server.get('/api/leads/l_1', KEY)).body).toEqual(lead)
      expect(await updatedAt('l_1')).toBe(before)
      expect((await readChanges(pool)).filter(({ subject }) => subject === 'lead l_1')).toEqual([])
    },
  )

  it('I5: rejects a write that would clear the last of these members', async () => {
    const error = errorOf(await post('/api/leads/l_3', { firstName: null }))
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameter' })
    expect(error).not.toHaveProperty('param')
    expect((await server.get('/api/leads/l_3', KEY)).body).toMatchObject({ firstName: 'l_3' })
  })
})
