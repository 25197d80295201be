/** Creating, updating and deleting tasks, and the changes that are recorded. */
import { beforeEach, describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import { deleteTask } from '../src/actions/delete-task.ts'
import { updateTask } from '../src/actions/update-task.ts'
import type { TaskChanges } from '../src/actions/update-task.ts'
import { contextOf, readChanges } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insert, insertCompany } from './support/records.ts'

const { pool } = await createDatabase()
await insertCompany(pool, 'co_other')
await plant(pool, 'events', 'co_other', 'ev_other')
let company = 0
/** Each test has a new company, so that it reads its own changes only. */
let companyId = ''
beforeEach(async () => {
  companyId = `co_${++company}`
  await insertCompany(pool, companyId)
  await plant(pool, 'events', companyId, 'ev_1')
})

const context = () => contextOf(pool, companyId)
const create = (description = 'Ice') =>
  runAction(context(), createTask, { eventId: 'ev_1', description, dueDate: null })
const update = (changes: TaskChanges) => runAction(context(), updateTask, changes)
const changes = async () =>
  (await readChanges(pool, companyId)).map(({ type, data, previous }) => ({ type, data, previous }))

describe('createTask', () => {
  it('F1: records task.created with the task, without old values', async () => {
    const task = await create()
    expect(await readChanges(pool, companyId)).toEqual([
      { sequence: 1, type: 'task.created', subject: `task ${task.id}`, data: { object: task }, previous: {} },
    ])
  })

  it('writes nothing for an event of another company', async () => {
    const task = { eventId: 'ev_other', description: 'x', dueDate: null }
    await expect(runAction(context(), createTask, task)).rejects.toMatchObject({ code: 'not_found' })
    expect(await changes()).toEqual([])
  })
})

describe('updateTask', () => {
  it('records the old values of changed members', async () => {
    const { id } = await create()
    const task = await update({ id, description: 'More ice', dueDate: '2027-02-01T00:00:00.000Z' })
    expect(task).toMatchObject({ description: 'More ice', dueDate: '2027-02-01T00:00:00.000Z' })
    expect((await changes())[1]).toEqual({
      type: 'task.updated',
      data: { object: task },
      previous: { description: 'Ice', dueDate: null },
    })
  })

  it('W8: writes and records nothing if nothing changes', async () => {
    const task = await create()
    expect(await update({ id: task.id, description: 'Ice', completed: false })).toEqual(task)
    expect(await changes()).toHaveLength(1)
  })

  it('F8: records a completion under its own type, and other members as an update before it', async () => {
    const { id } = await create()
    const task = await update({ id, completed: true, description: 'More ice' })
    expect((await changes()).slice(1)).toEqual([
      { type: 'task.updated', data: { object: task }, previous: { description: 'Ice' } },
      { type: 'task.completed', data: { object: task }, previous: { completed: false, completedAt: null } },
    ])
  })

  it('keeps the time of the first completion, and clears it when the task is reopened', async () => {
    const { id } = await create()
    const first = await update({ id, completed: true })
    expect(first.completedAt).toEqual(expect.any(String))
    expect(await update({ id, completed: true })).toEqual(first)
    const open = await update({ id, completed: false })
    expect(open.completedAt).toBeNull()
    expect(open.updatedAt > first.updatedAt).toBe(true)
    expect((await changes()).map(({ type }) => type)).toEqual([
      'task.created',
      'task.completed',
      'task.updated',
    ])
  })

  it('rejects an edit of an older version', async () => {
    const { id, updatedAt } = await create()
    await update({ id, description: 'First', ifUpdatedAt: updatedAt })
    const second = update({ id, description: 'Second', ifUpdatedAt: updatedAt })
    await expect(second).rejects.toMatchObject({ code: 'conflict' })
  })

  it('increases updatedAt even within the same millisecond', async () => {
    await insert(pool, 'tasks', {
      company_id: companyId,
      id: 'future',
      event_id: 'ev_1',
      description: 'x',
      updated_at: '2999-01-01T00:00:00Z',
    })
    const { updatedAt } = await update({ id: 'future', description: 'y' })
    expect(updatedAt).toBe('2999-01-01T00:00:00.001Z')
  })

  it('accepts one of several concurrent edits of the same version', async () => {
    const { id, updatedAt } = await create()
    const edits = ['A', 'B', 'C', 'D'].map((description) =>
      update({ id, description, ifUpdatedAt: updatedAt }),
    )
    const outcomes = await Promise.allSettled(edits)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await changes()).map(({ type }) => type)).toEqual(['task.created', 'task.updated'])
  })

  it.each(['no such', 'a\0b'])('finds no task %j', async (id) => {
    await expect(update({ id, completed: true })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('deleteTask', () => {
  it('records task.deleted with the complete task as old values', async () => {
    const task = await create()
    await runAction(context(), deleteTask, { id: task.id })
    expect((await changes())[1]).toEqual({ type: 'task.deleted', data: { object: null }, previous: task })
    await expect(runAction(context(), deleteTask, { id: task.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('does not find the task of another company', async () => {
    const { id } = await create()
    const others = contextOf(pool, 'co_other')
    await expect(runAction(others, deleteTask, { id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(runAction(others, updateTask, { id, completed: true })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
