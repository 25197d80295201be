/** Tasks that were just completed here. Each keeps its place in the list for a moment, so that this can be undone. */
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../../src/console/tasks.ts'
import type { Arranged } from './arrange.ts'

const SHOWN_MS = 6_000
/** How often a task that is hovered or focused is looked at again. */
const HELD_MS = 1_000
/** After an undo, until the list was read again: the list from before has the task among the done ones. */
const UNDONE_MS = 3_000

interface Place {
  id: string
  /** In the list of open tasks. */
  index: number
}

export interface JustCompleted {
  isRecent: (task: Task) => boolean
  /** Keeps the task where it is. */
  keep: (id: string, index: number) => void
  undo: (id: string) => void
  /** The same tasks, with those that are kept at their places in the open list. */
  place: (arranged: Arranged) => Arranged
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
    setPlaces((before) => before.filter((place) => place.id !== id))
  }
  const releaseLater = (id: string, afterMs: number) => {
    clearTimeout(timers.current.get(id))
    timers.current.set(
      id,
      setTimeout(() => (isInUse(id) ? releaseLater(id, HELD_MS) : release(id)), afterMs),
    )
  }
  const isRecent = ({ id, completedAt }: Task) =>
    completedAt !== null && places.some((place) => place.id === id)
  const isElsewhere = ({ id }: Task) => places.every((place) => place.id !== id)
  return {
    isRecent,
    keep: (id, index) => {
      setPlaces((before) => [...before.filter((place) => place.id !== id), { id, index }])
      releaseLater(id, SHOWN_MS)
    },
    undo: (id) => {
      if (timers.current.has(id)) releaseLater(id, UNDONE_MS)
    },
    place: ({ open, done }) => {
      const placed = open.filter(isElsewhere)
      for (const { id, index } of places.toSorted((a, b) => a.index - b.index)) {
        const task = [...open, ...done].find((one) => one.id === id)
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
