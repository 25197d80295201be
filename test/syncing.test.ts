/** Runs the code of docs/syncing.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import { deleteTask } from '../src/actions/delete-task.ts'
import { SYNCING_SAMPLE } from '../src/api/reference/syncing-sample.ts'
import { SYSTEM } from '../src/core/change-log/change-types.ts'
import { recordChanges } from '../src/records/change/record.ts'
import { contextOf } from './support/actions.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

interface Api {
  url: string
  key: string
}
interface Listed {
  object: string
  id: string
}
interface Sample {
  listObjects: (api: Api, path: string, filters?: Record<string, string>) => AsyncIterable<Listed>
  sync: (api: Api, since: number | undefined, save: (object: Listed) => Promise<void>) => Promise<number>
}

interface Change {
  id: string
  type: string
  subject: { id: string }
  data: { object: { id: string; description: string } | null }
}
interface FeedSample {
  newestChange: (api: Api) => Promise<string | undefined>
  applyChanges: (
    api: Api,
    after: string | undefined,
    apply: (change: Change) => Promise<void>,
    wait?: string,
  ) => Promise<{ after: string | undefined; isStale: boolean }>
}

const document = readFileSync(new URL('../docs/syncing.md', import.meta.url), 'utf8')
const [code = '', feedCode = ''] = [...document.matchAll(/```js\n([^]+?)```/g)].map(([, text]) => text ?? '')
const folder = mkdtempSync(join(tmpdir(), 'quoting-test-'))
atEnd(async () => rmSync(folder, { recursive: true }))
const file = join(folder, 'sample.mjs')
writeFileSync(file, code)
const { listObjects, sync } = (await import(pathToFileURL(file).href)) as Sample
const feedFile = join(folder, 'feed.mjs')
writeFileSync(feedFile, feedCode)
const { newestChange, applyChanges } = (await import(pathToFileURL(feedFile).href)) as FeedSample

const { pool, connection } = await createDatabase()
const server = await startServer(connection)
const url = `http://127.0.0.1:${server.port}`
let companies = 0

/** Twelve quotes in groups of four with the same creation time. A group is larger than a page of three. */
async function createCompany(): Promise<Api & { companyId: string }> {
  companies++
  const companyId = `co_${companies}`
  const key = `key-of-company-${companies}`
  await insertCompany(pool, companyId, { key })
  for (let i = 0; i < 12; i++) {
    const created_at = `2026-01-0${1 + Math.floor(i / 4)}T00:00:00Z`
    await plant(pool, 'quotes', companyId, idOf(i), { created_at, updated_at: created_at })
  }
  return { url, key, companyId }
}

const idOf = (i: number) => `q_${String(i).padStart(2, '0')}`
const ALL = Array.from({ length: 12 }, (_, i) => idOf(11 - i))

const change = (companyId: string, id: string, column: 'deleted_at' | 'updated_at') =>
  pool.query(`UPDATE quotes SET ${column} = now() WHERE company_id = $1 AND id = $2`, [companyId, id])

describe('the sample of docs/syncing.md', () => {
  it('is on the reference page', () => {
    expect(code.trim()).toBe(SYNCING_SAMPLE)
  })

  it('lists every quote once', async () => {
    const api = await createCompany()
    const ids: string[] = []
    for await (const { id } of listObjects(api, 'quotes', { limit: '5' })) ids.push(id)
    expect(ids).toEqual(ALL)
  })

  it.each(['1', '2', '3', '4', '5'])(
    'lists every quote once in pages of %s while every second quote is deleted after it is read',
    async (limit) => {
      const api = await createCompany()
      const ids: string[] = []
      for await (const { id } of listObjects(api, 'quotes', { limit })) {
        ids.push(id)
        if (ids.length % 2 === 0) await change(api.companyId, id, 'deleted_at')
      }
      expect(ids).toEqual(ALL)
    },
  )

  it('continues if the last quote of a page no longer matches the filters', async () => {
    const api = await createCompany()
    const ids: string[] = []
    for await (const { id } of listObjects(api, 'quotes', {
      limit: '3',
      'updated_at[lt]': '2026-06-01T00:00:00Z',
    })) {
      ids.push(id)
      if (ids.length === 3) await change(api.companyId, id, 'updated_at')
    }
    expect(ids).toEqual(ALL)
  })

  it('lists contacts, which have no time, from the first page again if the cursor is not found', async () => {
    const api = await createCompany()
    for (const n of [1, 2, 3, 4]) {
      const created_at = `2026-01-0${n}T00:00:00Z`
      await plant(pool, 'leads', api.companyId, `lead_${n}`, { created_at, updated_at: created_at })
    }
    const ids: string[] = []
    for await (const { id } of listObjects(api, 'leads', {
      limit: '2',
      'updated_at[lt]': '2026-06-01T00:00:00Z',
    })) {
      ids.push(id)
      if (ids.length === 2)
        await pool.query(`UPDATE leads SET updated_at = now() WHERE company_id = $1 AND id = 'lead_3'`, [
          api.companyId,
        ])
    }
    expect(ids).toEqual(['lead_4', 'lead_3', 'lead_2', 'lead_1'])
  })

  it('first copies all contacts, quotes, events, tasks and invoices, then the changed ones', async () => {
    const api = await createCompany()
    const created_at = '2026-01-01T00:00:00Z'
    for (const [table, id, row] of [
      ['leads', 'lead_1', {}],
      ['events', 'ev_1', {}],
      ['bookings', 'bk_1', {}],
      ['invoices', 'inv_1', { booking_id: 'bk_1' }],
    ] as const)
      await plant(pool, table, api.companyId, id, { ...row, created_at, updated_at: created_at })
    const task = { event_id: 'ev_1', description: 'Call', created_at, updated_at: created_at }
    await plant(pool, 'tasks', api.companyId, 'task_1', task)
    const saved: string[] = []
    const save = async ({ object, id }: Listed) => void saved.push(`${object} ${id}`)
    const since = await sync(api, undefined, save)
    expect(saved).toEqual([
      'lead lead_1',
      ...ALL.map((id) => `quote ${id}`),
      'event ev_1',
      'task task_1',
      'invoice inv_1',
    ])
    await change(api.companyId, 'q_04', 'updated_at')
    await pool.query('UPDATE tasks SET updated_at = now() WHERE company_id = $1', [api.companyId])
    await sync(api, since, save)
    expect(saved.slice(16)).toEqual(['quote q_04', 'task task_1'])
  })
})

describe('the change feed of docs/syncing.md', () => {
  it('keeps a copy of the tasks, including deletions', async () => {
    const api = await createCompany()
    await plant(pool, 'events', api.companyId, 'ev_1')
    const context = contextOf(pool, api.companyId)
    const create = (description: string) =>
      runAction(context, createTask, { eventId: 'ev_1', description, dueDate: null })
    await create('Before the copy')
    const copy = new Map<string, string>()
    const apply = async ({ subject, data }: Change) => {
      if (data.object === null) copy.delete(subject.id)
      else copy.set(subject.id, data.object.description)
    }
    const start = await newestChange(api)
    expect(start).toBe('chg_1')
    const tasks = []
    for (let i = 0; i < 120; i++) tasks.push(await create(`Task ${i}`))
    await runAction(context, deleteTask, { id: tasks[7]?.id ?? '' })
    const { after, isStale } = await applyChanges(api, start, apply, '0')
    expect({ after, isStale }).toEqual({ after: 'chg_122', isStale: false })
    expect([...copy.keys()]).toEqual(tasks.map(({ id }) => id).filter((_, i) => i !== 7))
    expect(await applyChanges(api, after, apply, '0')).toEqual({ after, isStale: false })
    await pool.query('DELETE FROM changes WHERE company_id = $1 AND sequence < 50', [api.companyId])
    expect(await applyChanges(api, start, apply, '0')).toEqual({ after: 'chg_122', isStale: true })
  })

  it('begins without a cursor in a company without changes, and stops at an import', async () => {
    const api = await createCompany()
    expect(await newestChange(api)).toBeUndefined()
    expect(await applyChanges(api, undefined, async () => undefined, '0')).toEqual({ isStale: false })
    const imported = { type: 'data.imported', subject: { object: 'company', id: api.companyId } } as const
    await recordChanges(pool, api.companyId, SYSTEM, [
      { ...imported, data: '{"object":null}', previous: '{}' },
    ])
    const result = await applyChanges(api, undefined, async () => undefined, '0')
    expect(result).toEqual({ after: 'chg_1', isStale: true })
  })
})

describe('links to docs/syncing.md', () => {
  it('are in the README', () => {
    expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain('(docs/syncing.md)')
  })

  it('the OpenAPI document has a section about it', async () => {
    const { body } = await server.call('/api/openapi.json')
    expect((body as { info: { description: string } }).info.description).toMatch(
      /## Syncing\n[^#]*`x-cursor: not-found`[^#]*`created_at\[lte\]`/,
    )
  })

  it('waits for the next change', async () => {
    const api = await createCompany()
    await plant(pool, 'events', api.companyId, 'ev_1')
    const applied: string[] = []
    const following = applyChanges(api, undefined, async ({ type }) => void applied.push(type))
    const task = { eventId: 'ev_1', description: 'Later', dueDate: null }
    await runAction(contextOf(pool, api.companyId), createTask, task)
    expect(await following).toEqual({ after: 'chg_1', isStale: false })
    expect(applied).toEqual(['task.created'])
  })
})
