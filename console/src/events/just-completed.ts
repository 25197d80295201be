/** Tasks that were just completed here. Each keeps its place in the list for a few seconds, with Undo. */
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../../src/console/tasks.ts'
import type { Arranged } from './arrange.ts'

const SHOWN_MS = 6_000
/** How often a hovered or focused task is checked again. */
const HELD_MS = 1_000
/** After an undo, until the list is read again: the list from before has the task among the done ones. */
const UNDONE_MS = 3_000

interface Place {
  /** As it was completed. The list may not have it any more: it has the first tasks only, with the done ones last. */
  task: Task
  /** In the list of open tasks. */
  index: number
}

export interface JustCompleted {
  isRecent: (task: Task) => boolean
  /** Keeps the task where it is. */
  keep: (task: Task, index: number) => void
  undo: (id: string) => void
  /** Does not keep the task any longer. */
  release: (id: string) => void
  /** Updates a kept task from a response. */
  update: (task: Task) => void
  /** The same tasks, with kept ones at their places in the open list. `hidden`: how many tasks the list does not have. */
  place: (arranged: Arranged, hidden: number) => Arranged
}

export function useJustCompleted(): JustCompleted {
  const [places, setPlaces] = useState<readonly Place[]>([])
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const { current } = timers
    return () => current.forEach((timer) => clearTimeout(timer))
  }, [])
  const release = (id: string) => {
    clearTimeout(timers.current.get(id))
    timers.current.delete(id)
    setPlaces((before) => before.filter(({ task }) => task.id !== id))
  }
  const change = (id: string, changes: Partial<Task>) =>
    setPlaces((before) =>
      before.map((place) =>
        place.task.id === id ? { ...place, task: { ...place.task, ...changes } } : place,
      ),
    )
  const releaseLater = (id: string, afterMs: number) => {
    clearTimeout(timers.current.get(id))
    timers.current.set(
      id,
      setTimeout(() => (isInUse(id) ? releaseLater(id, HELD_MS) : release(id)), afterMs),
    )
  }
  const isKept = ({ id }: Task) => places.some(({ task }) => task.id === id)
  const isElsewhere = (task: Task) => !isKept(task)
  return {
    isRecent: (task) => task.completedAt !== null && isKept(task),
    keep: (task, index) => {
      const kept = { ...task, completedAt: new Date().toISOString() }
      setPlaces((before) => [...before.filter((place) => place.task.id !== task.id), { task: kept, index }])
      releaseLater(task.id, SHOWN_MS)
    },
    undo: (id) => {
      if (!timers.current.has(id)) return
      change(id, { completedAt: null })
      releaseLater(id, UNDONE_MS)
    },
    release,
    update: (task) => change(task.id, task),
    place: ({ open, done }, hidden) => {
      const placed = open.filter(isElsewhere)
      for (const { task: kept, index } of places.toSorted((a, b) => a.index - b.index)) {
        const listed = [...open, ...done].find(({ id }) => id === kept.id)
        // If the list has all tasks and not this one, it was deleted.
        const task = listed ?? (hidden > 0 ? kept : undefined)
        if (task !== undefined) placed.splice(index, 0, task)
      }
      return { open: placed, done: done.filter(isElsewhere) }
    },
  }
}

/** Hovered, or focused with the keyboard. A touch screen keeps the hover of the last tap, and a click keeps the focus. */
function isInUse(id: string): boolean {
  const row = document.getElementById(`task-${id}`)?.closest('.task')
  if (row == null) return false
  const isHovered = matchMedia('(hover: hover)').matches && row.matches(':hover')
  return isHovered || row.querySelector(':focus-visible') !== null
}
