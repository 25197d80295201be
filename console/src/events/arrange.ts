/** The order in which a checklist is shown. */
import type { Task } from '../../../src/console/tasks.ts'

export interface Arranged {
  open: Task[]
  done: Task[]
}

/**
 * The server's order, which puts urgent tasks first. During an edit the order of its start (`held`) stays, new tasks
 * come last, and the edited task stays even if it is deleted. So the edited field keeps its place and focus.
 */
export function arrange(tasks: readonly Task[], held: Arranged | null, editedId: string | null): Arranged {
  if (held === null) {
    return {
      open: tasks.filter(({ completedAt }) => completedAt === null),
      done: tasks.filter(({ completedAt }) => completedAt !== null),
    }
  }
  const now = new Map(tasks.map((task) => [task.id, task]))
  const stay = (before: readonly Task[]) =>
    before.flatMap((task) => now.get(task.id) ?? (task.id === editedId ? [task] : []))
  const known = new Set([...held.open, ...held.done].map(({ id }) => id))
  const added = tasks.filter(({ id }) => !known.has(id))
  return {
    open: [...stay(held.open), ...added.filter(({ completedAt }) => completedAt === null)],
    done: [...stay(held.done), ...added.filter(({ completedAt }) => completedAt !== null)],
  }
}
