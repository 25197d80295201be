/** The checklist of an event: reading it again and again, and changing it. */
import { notifications } from '@mantine/notifications'
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CHECKLIST_MAX, CHECKLIST_PAGE, TASKS_READ_MAX } from '../../../src/core/checklist.ts'
import type { ChecklistAnswer, Task, TaskAnswer, TasksAnswer } from '../../../src/console/tasks.ts'
import { call, get, queryClient } from '../call.ts'

/** Changes by others appear within two seconds. Polling stops while the page is hidden. */
const POLL_MS = 1_500
const ARRIVAL_SHOWN_MS = 8_000

const keyOf = (eventId: string) => ['tasks', eventId] as const
const tasksPath = (eventId: string) => `events/${encodeURIComponent(eventId)}/tasks`
const taskPath = (id: string) => `tasks/${encodeURIComponent(id)}`

/** The checklist as far as it is shown. */
export interface Checklist extends ChecklistAnswer {
  limit: number
  /** When the newest task of the first response was added. Later tasks are marked as new. */
  knownTo: string | null
}

const listOf = (eventId: string) => ({
  queryKey: keyOf(eventId),
  queryFn: () => readChecklist(eventId),
})

/** Polls for changes. The response has only changed tasks, and no body if nothing changed. */
async function readChecklist(eventId: string): Promise<Checklist> {
  const known = () => queryClient.getQueryData<Checklist>(keyOf(eventId))
  const { version, limit = CHECKLIST_PAGE } = known() ?? {}
  const query = version === undefined ? '' : `?${new URLSearchParams({ version, limit: String(limit) })}`
  const answer = await get<ChecklistAnswer | null>(tasksPath(eventId) + query)
  const before = known()
  if (answer === null && before !== undefined) return before
  if (answer === null) return readChecklist(eventId)
  const [marksBefore, marks] = [marksOf(before), marksOf(answer)]
  const same = before?.tasks.filter(({ id }) => marksBefore.get(id) === marks.get(id)) ?? []
  const tasks = new Map([...same, ...answer.tasks].map((task) => [task.id, task]))
  const missing = answer.marks.map(({ id }) => id).filter((id) => !tasks.has(id))
  for (const task of await readTasks(eventId, missing)) tasks.set(task.id, task)
  return {
    ...answer,
    tasks: answer.marks.flatMap(({ id }) => tasks.get(id) ?? []),
    limit,
    knownTo: before === undefined ? answer.newestAt : before.knownTo,
  }
}

const marksOf = (list: ChecklistAnswer | undefined) => new Map(list?.marks.map(({ id, mark }) => [id, mark]))

/** Those that are still there. */
export async function readTasks(eventId: string, ids: readonly string[]): Promise<Task[]> {
  const tasks: Task[] = []
  for (let start = 0; start < ids.length; start += TASKS_READ_MAX) {
    const some = ids.slice(start, start + TASKS_READ_MAX)
    tasks.push(...(await call<TasksAnswer>('POST', `${tasksPath(eventId)}/read`, { ids: some })).tasks)
  }
  return tasks
}

export const canShowMore = ({ limit, hidden }: Checklist) =>
  hidden.open + hidden.done > 0 && limit < CHECKLIST_MAX

export function showMore(eventId: string): Promise<void> {
  edit(eventId, (before) => ({ ...before, limit: before.limit + CHECKLIST_PAGE }))
  return queryClient.invalidateQueries({ queryKey: keyOf(eventId) })
}

/** A new task comes after all others that are open. */
function makeRoom(list: Checklist): Checklist {
  const open = list.hidden.open + list.tasks.filter(({ completedAt }) => completedAt === null).length
  const needed = Math.ceil((open + 1) / CHECKLIST_PAGE) * CHECKLIST_PAGE
  return { ...list, limit: Math.max(list.limit, Math.min(needed, CHECKLIST_MAX)) }
}

export function useTasks(eventId: string) {
  // An answer that was under way before a change would show the state before it.
  const isChanging = useIsMutating({ mutationKey: keyOf(eventId) }) > 0
  return useQuery({
    ...listOf(eventId),
    refetchInterval: isChanging ? false : POLL_MS,
    staleTime: 0,
  })
}

/** When the list last came from the service, in milliseconds. It asks for nothing itself. */
export function useReadAt(eventId: string): number {
  return useQuery({ ...listOf(eventId), enabled: false }).dataUpdatedAt
}

function edit(eventId: string, change: (list: Checklist) => Checklist): void {
  const key = keyOf(eventId)
  queryClient.setQueryData<Checklist>(
    key,
    (before) => (before === undefined ? before : change(before)),
    // Optimistic updates are not read from the server.
    { updatedAt: queryClient.getQueryState(key)?.dataUpdatedAt ?? 0 },
  )
}

const change = (eventId: string, editTasks: (tasks: Task[]) => Task[]) =>
  edit(eventId, (before) => ({ ...before, tasks: editTasks(before.tasks) }))

const replace = (task: Task) => (tasks: Task[]) => tasks.map((one) => (one.id === task.id ? task : one))

const isLastChange = (eventId: string) => queryClient.isMutating({ mutationKey: keyOf(eventId) }) === 1

/** Loads the tasks from the server after the last of several concurrent changes. */
async function readAgain(eventId: string): Promise<void> {
  if (isLastChange(eventId)) await queryClient.invalidateQueries({ queryKey: keyOf(eventId) })
  void queryClient.invalidateQueries({ queryKey: ['agenda'], refetchType: 'none' })
}

/** Shown at once, and taken back if it did not happen. */
export function useTick(eventId: string) {
  return useMutation({
    mutationKey: keyOf(eventId),
    // One after the other: a tick and its taking away must not overtake each other.
    scope: { id: `ticks of ${eventId}` },
    mutationFn: ({ task, completed }: { task: Task; completed: boolean }) =>
      call<TaskAnswer>('PATCH', taskPath(task.id), { completed }),
    onMutate: async ({ task, completed }) => {
      const completedAt = completed ? new Date().toISOString() : null
      change(eventId, replace({ ...task, completedAt }))
      await queryClient.cancelQueries({ queryKey: keyOf(eventId) })
      change(eventId, replace({ ...task, completedAt }))
    },
    onSuccess: ({ task }) => {
      if (isLastChange(eventId)) change(eventId, replace(task))
    },
    onError: (error, { task, completed }) => {
      change(eventId, replace(task))
      notifications.show({
        color: 'red',
        title: completed ? 'Could not complete the task' : 'Could not reopen the task',
        message: error.message,
      })
    },
    onSettled: () => readAgain(eventId),
  })
}

export interface TaskDraft {
  description: string
  /** ISO 8601, or null for none. */
  dueDate: string | null
}

export function useAddTask(eventId: string, onAdded: (task: Task) => void) {
  return useMutation({
    mutationKey: keyOf(eventId),
    mutationFn: (draft: TaskDraft) => call<TaskAnswer>('POST', tasksPath(eventId), draft),
    onSuccess: async ({ task }) => {
      await queryClient.cancelQueries({ queryKey: keyOf(eventId) })
      onAdded(task)
      edit(eventId, makeRoom)
      change(eventId, (tasks) => [...tasks.filter(({ id }) => id !== task.id), task])
    },
    onSettled: () => readAgain(eventId),
  })
}

export function useEditTask(eventId: string, onSaved: () => void) {
  return useMutation({
    mutationKey: keyOf(eventId),
    mutationFn: ({ id, updatedAt, ...draft }: TaskDraft & { id: string; updatedAt: string }) =>
      call<TaskAnswer>('PATCH', taskPath(id), { ...draft, updatedAt }),
    onSuccess: async ({ task }) => {
      await queryClient.cancelQueries({ queryKey: keyOf(eventId) })
      change(eventId, replace(task))
      onSaved()
    },
    onSettled: () => readAgain(eventId),
  })
}

export function useRemoveTask(eventId: string, onRemoved: () => void) {
  return useMutation({
    mutationKey: keyOf(eventId),
    mutationFn: (id: string) => call<null>('DELETE', taskPath(id)),
    onSuccess: async (_, id) => {
      await queryClient.cancelQueries({ queryKey: keyOf(eventId) })
      change(eventId, (tasks) => tasks.filter((task) => task.id !== id))
      onRemoved()
    },
    onSettled: () => readAgain(eventId),
  })
}

/** The ids of tasks that came from elsewhere while the page was open, for as long as they are marked. */
export function useArrivals(tasks: readonly Task[] | undefined, knownTo: string | null = null) {
  const known = useRef<Set<string> | null>(null)
  const [arrived, setArrived] = useState<readonly Task[]>([])
  useEffect(() => {
    if (tasks === undefined) return
    // Older ones were there before, on a later page.
    const isNew = ({ id, createdAt }: Task) => !known.current?.has(id) && createdAt > (knownTo ?? '')
    const news = known.current === null ? [] : tasks.filter(isNew)
    known.current = new Set([...(known.current ?? []), ...tasks.map(({ id }) => id)])
    if (news.length > 0) setArrived(news)
  }, [tasks, knownTo])
  useEffect(() => {
    if (arrived.length === 0) return undefined
    const timer = setTimeout(() => setArrived([]), ARRIVAL_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [arrived])
  /** Tasks that this user adds are not reported as new. */
  const expect = (id: string) => known.current?.add(id)
  return { arrived, expect }
}
