import { describe, expect, it } from 'vitest'
import { arrange } from '../console/src/events/arrange.ts'
import type { Task } from '../src/console/tasks.ts'

const task = (id: string, completedAt: string | null = null): Task => ({
  id,
  description: id,
  dueDate: null,
  completedAt,
  createdAt: '2027-01-01T00:00:00.000Z',
  updatedAt: '2027-01-01T00:00:00.000Z',
})
const DONE = '2027-01-02T00:00:00.000Z'
const ids = ({ open, done }: ReturnType<typeof arrange>) =>
  [open, done].map((those) => those.map(({ id }) => id))

describe('the order of a checklist', () => {
  it('is the server’s, what is done apart', () => {
    expect(ids(arrange([task('b'), task('a'), task('c', DONE)], null, null))).toEqual([['b', 'a'], ['c']])
  })

  it('does not change while a task is edited: nothing moves, what is new comes last', () => {
    const held = arrange([task('a'), task('b'), task('c', DONE)], null, null)
    const now = [task('new'), task('c'), task('b'), task('new and done', DONE), task('a', DONE)]
    const shown = arrange(now, held, 'a')
    expect(ids(shown)).toEqual([
      ['a', 'b', 'new'],
      ['c', 'new and done'],
    ])
    // Their content is the current one.
    expect(shown.open[0]?.completedAt).toBe(DONE)
    expect(shown.done[0]?.completedAt).toBeNull()
  })

  it('keeps the edited task when another user removes it, and only that one', () => {
    const held = arrange([task('a'), task('b'), task('c', DONE)], null, null)
    expect(ids(arrange([], held, 'b'))).toEqual([['b'], []])
    expect(ids(arrange([], held, 'c'))).toEqual([[], ['c']])
  })
})
