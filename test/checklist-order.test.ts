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
  [open, done].map((tasks) => tasks.map(({ id }) => id))

describe('the order of a checklist', () => {
  it('is the order of the server, with completed tasks apart', () => {
    expect(ids(arrange([task('b'), task('a'), task('c', DONE)], null, null))).toEqual([['b', 'a'], ['c']])
  })

  it('does not change while a task is edited; new tasks come last', () => {
    const before = arrange([task('a'), task('b'), task('c', DONE)], null, null)
    const now = [task('new'), task('c'), task('b'), task('new and done', DONE), task('a', DONE)]
    const shown = arrange(now, before, 'a')
    expect(ids(shown)).toEqual([
      ['a', 'b', 'new'],
      ['c', 'new and done'],
    ])
    // The content is current.
    expect(shown.open[0]?.completedAt).toBe(DONE)
    expect(shown.done[0]?.completedAt).toBeNull()
  })

  it('keeps only the edited task when another user deletes all tasks', () => {
    const before = arrange([task('a'), task('b'), task('c', DONE)], null, null)
    expect(ids(arrange([], before, 'b'))).toEqual([['b'], []])
    expect(ids(arrange([], before, 'c'))).toEqual([[], ['c']])
  })
})
