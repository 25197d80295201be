/** GET /changes: the change log. */
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import { updateTask } from '../src/actions/update-task.ts'
import { CHANGE_TYPES } from '../src/core/change-log/change-types.ts'
import { USER, contextOf, readChanges } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, importValid } from './support/world.ts'

interface Change {
  id: string
  sequence: number
  type: string
  createdAt: string
  subject: { id: string }
}

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1', { key: KEY })
await insertCompany(pool, 'co_2', { key: OTHER_KEY })
await plant(pool, 'events', 'co_1', 'ev_1')
await plant(pool, 'events', 'co_2', 'ev_1')
const server = await startServer(connection)

const create = (description: string, companyId = 'co_1') =>
  runAction(contextOf(pool, companyId), createTask, { eventId: 'ev_1', description, dueDate: null })

const first = await create('First')
await runAction(contextOf(pool), updateTask, { id: first.id, completed: true })
await create('Second')
await create('Third')
await create('Of the other company', 'co_2')

const read = async (query = '', key = KEY) => {
  const answer = await server.get(`/api/changes${query}`, key)
  expect(answer.status, answer.text).toBe(200)
  const { data, hasMore } = answer.body as { data: Change[]; hasMore: boolean }
  return { data, hasMore, ids: data.map(({ id }) => id), headers: answer.headers }
}
const errorOf = async (query: string) => {
  const { status, body } = await server.get(`/api/changes${query}`, KEY)
  return { status, ...(body as { error: object }).error }
}

describe('F2: numbering', () => {
  it('numbers the changes of a company from 1 without gaps', async () => {
    expect((await read()).ids).toEqual(['chg_1', 'chg_2', 'chg_3', 'chg_4'])
    expect((await read('', OTHER_KEY)).ids).toEqual(['chg_1'])
  })

  it('has no gaps with concurrent writers, some of which fail', async () => {
    await insertCompany(pool, 'co_busy')
    await plant(pool, 'events', 'co_busy', 'ev_1')
    const context = contextOf(pool, 'co_busy')
    const writes = Array.from({ length: 40 }, (_, i) =>
      runAction(context, createTask, {
        eventId: i % 4 === 0 ? 'nowhere' : 'ev_1',
        description: `Task ${i}`,
        dueDate: null,
      }),
    )
    await Promise.allSettled(writes)
    const { rows } = await pool.query<{ sequence: string }>(
      `SELECT sequence FROM changes WHERE company_id = 'co_busy' ORDER BY sequence`,
    )
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
  })
})

describe('F3: the list', () => {
  it('F6, F7, O22: contains the subject, the actor and the object like a GET', async () => {
    const { data } = await read('?limit=1')
    expect(data).toEqual([
      {
        object: 'change',
        id: 'chg_1',
        sequence: 1,
        type: 'task.created',
        createdAt: expect.stringMatching(/Z$/) as string,
        actor: USER,
        subject: { object: 'task', id: first.id },
        data: { object: first },
        previous: {},
      },
    ])
  })

  it('F4: continues after any change, even one that does not match the filters', async () => {
    expect(await read('?limit=2')).toMatchObject({ ids: ['chg_1', 'chg_2'], hasMore: true })
    expect(await read('?limit=2&starting_after=chg_2')).toMatchObject({
      ids: ['chg_3', 'chg_4'],
      hasMore: false,
    })
    expect((await read('?type=task.created&starting_after=chg_2')).ids).toEqual(['chg_3', 'chg_4'])
    expect((await read('?starting_after=chg_4')).ids).toEqual([])
  })

  it('lists newest first with order=desc', async () => {
    expect(await read('?order=desc&limit=3')).toMatchObject({
      ids: ['chg_4', 'chg_3', 'chg_2'],
      hasMore: true,
    })
    expect((await read('?order=desc&starting_after=chg_2')).ids).toEqual(['chg_1'])
  })

  it('F5: filters by types, repeated or with commas, and by subject', async () => {
    expect((await read('?type=task.completed')).ids).toEqual(['chg_2'])
    expect((await read('?type=task.completed,task.created&order=desc')).ids).toEqual([
      'chg_4',
      'chg_3',
      'chg_2',
      'chg_1',
    ])
    expect((await read('?type=task.completed&type=task.created,task.created&limit=2')).ids).toEqual([
      'chg_1',
      'chg_2',
    ])
    expect((await read(`?object_id=${first.id}`)).ids).toEqual(['chg_1', 'chg_2'])
    expect((await read(`?object_id=${first.id}&type=task.completed`)).ids).toEqual(['chg_2'])
    expect((await read('?object_id=nothing')).ids).toEqual([])
    expect((await read('?object_id=%00')).ids).toEqual([])
  })

  it('filters by time', async () => {
    const { data } = await read()
    const third = data[2]?.createdAt ?? ''
    const at = (operator: string, type = '') =>
      read(`?created_at[${operator}]=${third}${type}`).then(({ data: found }) =>
        found.map(({ sequence }) => sequence),
      )
    const times = data.map(({ createdAt }) => createdAt)
    const where = (test: (time: string) => boolean) =>
      data.filter((_, i) => test(times[i] ?? '')).map(({ sequence }) => sequence)
    expect(await at('gte')).toEqual(where((time) => time >= third))
    expect(await at('gt')).toEqual(where((time) => time > third))
    expect(await at('lt')).toEqual(where((time) => time < third))
    expect(await at('lte', '&type=task.created')).toEqual(
      where((time) => time <= third).filter((n) => n !== 2),
    )
    expect((await read('?created_at[gt]=2999-01-01T00:00:00Z')).ids).toEqual([])
  })

  it.each([
    ['?type=task.exploded', 'type'],
    ['?type=', 'type'],
    ['?type[]=task.created', 'type[]'],
    ['?order=up', 'order'],
    ['?limit=0', 'limit'],
    ['?created_at=2026-01-01T00:00:00Z', 'created_at'],
    ['?expand[]=data', 'expand'],
  ])('rejects %s', async (query, param) => {
    expect(await errorOf(query)).toMatchObject({ status: 400, code: 'invalid_parameter', param })
  })

  it('F5: accepts at most 20 distinct types', async () => {
    const types = CHANGE_TYPES.slice(0, 21)
    expect(types).toHaveLength(21)
    for (const query of [`type=${types.join()}`, types.map((type) => `type=${type}`).join('&')])
      expect(await errorOf(`?${query}`)).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        message: 'type must have at most 20 different values',
        param: 'type',
      })
    await read(`?type=${types.slice(0, 20).join()}`)
    const copies = Array.from({ length: 25 }, () => 'task.completed')
    expect((await read(`?type=${copies.join()}`)).ids).toEqual(['chg_2'])
    expect((await read(`?${copies.map((type) => `type=${type}`).join('&')}`)).ids).toEqual(['chg_2'])
  })

  it.each(['chg_5', 'chg_0', 'chg_01', 'chg_', 'quote_1', 'chg_99999999999999999999'])(
    'F4, R19: returns an empty page for the unknown cursor %s',
    async (cursor) => {
      const { ids, headers } = await read(`?starting_after=${cursor}`)
      expect(ids).toEqual([])
      expect(headers['x-cursor']).toBe('not-found')
    },
  )
})

describe('F9: imports', () => {
  it('records one change for each company, with the number of records of each kind', async () => {
    const company = (id: string) => ({ ...MINIMAL.company, id })
    const lead = (companyId: string, id: string) => ({ ...MINIMAL.lead, id, companyId })
    await importValid(connection, [
      company('co_a'),
      company('co_b'),
      lead('co_a', 'l_1'),
      lead('co_a', 'l_2'),
      lead('co_b', 'l_1'),
    ])
    const change = (id: string, leads: number) => ({
      sequence: 1,
      type: 'data.imported',
      subject: `company ${id}`,
      data: { object: null, counts: { company: 1, lead: leads } },
      previous: {},
    })
    expect(await readChanges(pool, 'co_a')).toEqual([change('co_a', 2)])
    expect(await readChanges(pool, 'co_b')).toEqual([change('co_b', 1)])
    const { rows } = await pool.query(
      `SELECT actor_type AS type, actor_id AS id FROM changes WHERE company_id = 'co_a'`,
    )
    expect(rows).toEqual([{ type: 'system', id: null }])
  })
})

describe('F10: old changes', () => {
  it('answers 410 with the oldest id to a cursor of a deleted change', async () => {
    await insertCompany(pool, 'co_old', { key: 'a-key-of-an-old-company' })
    await plant(pool, 'events', 'co_old', 'ev_1')
    for (const description of ['a', 'b', 'c']) await create(description, 'co_old')
    await pool.query(`DELETE FROM changes WHERE company_id = 'co_old' AND sequence < 3`)
    const get = (cursor: string) =>
      server.get(`/api/changes?starting_after=${cursor}`, 'a-key-of-an-old-company')
    const { status, body } = await get('chg_2')
    expect(status).toBe(410)
    expect(body).toEqual({
      error: {
        type: 'invalid_request_error',
        code: 'cursor_expired',
        message: expect.stringContaining('chg_3') as string,
        param: 'starting_after',
      },
    })
    expect((await get('chg_3')).status).toBe(200)
  })
})
