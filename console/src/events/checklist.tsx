/** The checklist of an event. It shows changes of others without disturbing an edit. */
import { Alert, Button, Group, Progress, Text, Title, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../../src/console/tasks.ts'
import { formatNumber } from '../format.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Note } from '../ui/note.ts'
import { ErrorState } from '../ui/states.tsx'
import { arrange } from './arrange.ts'
import type { Arranged } from './arrange.ts'
import { useJustCompleted } from './just-completed.ts'
import { ChecklistBones } from './skeletons.tsx'
import { AddTask } from './task-form.tsx'
import { TaskList } from './task-rows.tsx'
import { canShowMore, showMore, useArrivals, useRemoveTask, useTasks } from './tasks.ts'
import type { Checklist as ChecklistData } from './tasks.ts'

interface Editing {
  task: Task
  held: Arranged
}

export function Checklist({ eventId }: { eventId: string }) {
  const { data, error, refetch } = useTasks(eventId)
  const tasks = data?.tasks
  const { arrived, expect } = useArrivals(tasks, data?.knownTo)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [removing, setRemoving] = useState<Task | null>(null)
  const addField = useRef<HTMLTextAreaElement>(null)
  const keepFocus = useKeptFocus()
  const completed = useJustCompleted()
  const { open: hiddenOpen, done: hiddenDone } = data?.hidden ?? { open: 0, done: 0 }
  const arranged = arrange(tasks ?? [], editing?.held ?? null, editing?.task.id ?? null)
  const shown = completed.place(arranged, hiddenOpen + hiddenDone)
  const row = {
    eventId,
    completed,
    arrived,
    keepFocus,
    editing: editing?.task ?? null,
    onEdit: (task: Task) => setEditing({ task, held: shown }),
    onEndEdit: () => {
      const id = editing?.task.id
      setEditing(null)
      if (id !== undefined) keepFocus(`edit-${id}`)
    },
    onRemove: setRemoving,
  }
  return (
    <section className="app-panel checklist" aria-labelledby="checklist-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="checklist-title">
          Checklist
        </Title>
        {data === undefined || data.tasks.length === 0 ? null : <Count list={data} />}
      </Group>
      <VisuallyHidden aria-live="polite" role="status">
        {arrived.map(({ id, description }) => (
          <span key={id}>New task: {description}</span>
        ))}
        {shown.open.filter(completed.isRecent).map(({ id, description }) => (
          <span key={id}>Completed: {description}. You can undo this.</span>
        ))}
      </VisuallyHidden>
      {tasks === undefined && error !== null ? <ErrorState error={error} onRetry={refetch} /> : null}
      {tasks === undefined && error === null ? <ChecklistBones /> : null}
      {tasks === undefined ? null : (
        <>
          {error === null ? null : <NotUpToDate error={error} onRetry={refetch} />}
          <AddTask eventId={eventId} onAdded={({ id }) => expect(id)} fieldRef={addField} />
          <TaskList label="To do" tasks={shown.open} row={row} />
          {tasks.length === 0 ? <Nothing /> : null}
          {shown.done.length === 0 ? null : (
            <Note mt="md" mb={4} fw={600}>
              Done
            </Note>
          )}
          <TaskList label="Done" tasks={shown.done} row={row} />
          {data === undefined ? null : <More eventId={eventId} list={data} shown={shown} />}
        </>
      )}
      <Removal
        eventId={eventId}
        task={removing}
        onClose={() => setRemoving(null)}
        onRemoved={() => {
          if (removing !== null) completed.release(removing.id)
          addField.current?.focus()
        }}
      />
    </section>
  )
}

/**
 * An element that moves within the list, or comes back after an edit, loses the focus: it gets it again, unless it has
 * gone elsewhere.
 */
function useKeptFocus(): (elementId: string) => void {
  const kept = useRef<string | null>(null)
  // After every time that the list is shown: any of them may have moved it.
  useEffect(() => {
    if (kept.current === null) return
    const element = document.getElementById(kept.current)
    if (document.activeElement === document.body) element?.focus({ preventScroll: true })
    else if (document.activeElement !== element) kept.current = null
  })
  return (elementId) => {
    kept.current = elementId
  }
}

/** Of the list as it was read: a task that was just completed may be shown and counted as hidden at the same time. */
function Count({ list: { tasks, hidden } }: { list: ChecklistData }) {
  const doneCount = hidden.done + tasks.filter(({ completedAt }) => completedAt !== null).length
  const count = tasks.length + hidden.open + hidden.done
  return (
    <Group gap="xs" wrap="nowrap">
      <Note className="app-figure">
        {formatNumber(doneCount)} of {formatNumber(count)} done
      </Note>
      <Progress value={(doneCount / count) * 100} w={48} size="sm" aria-label="Tasks done" />
    </Group>
  )
}

function More({ eventId, list, shown }: { eventId: string; list: ChecklistData; shown: Arranged }) {
  const listed = new Set(list.tasks.map(({ id }) => id))
  const kept = shown.open.filter(({ id, completedAt }) => completedAt !== null && !listed.has(id))
  const count = list.hidden.open + list.hidden.done - kept.length
  if (count <= 0) return null
  const hidden = `${formatNumber(count)} more ${count === 1 ? 'task' : 'tasks'}`
  return (
    <Group gap="sm" mt="sm">
      <Note>{canShowMore(list) ? hidden : `${hidden} not shown. Complete or delete some to see them.`}</Note>
      {canShowMore(list) ? (
        <Button size="compact-sm" variant="default" onClick={() => void showMore(eventId)}>
          Show more
        </Button>
      ) : null}
    </Group>
  )
}

function Nothing() {
  return <Note mt="sm">No tasks yet. Tasks added through the API appear here automatically.</Note>
}

function NotUpToDate({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  return (
    <Alert className="notice-short" p="xs" mb="sm">
      <Group gap="xs" justify="space-between">
        <Text size="sm">This list may be out of date. {error.message}</Text>
        <Button size="compact-xs" variant="default" onClick={() => void onRetry()}>
          Retry
        </Button>
      </Group>
    </Alert>
  )
}

interface RemovalProps {
  eventId: string
  task: Task | null
  onClose: () => void
  onRemoved: () => void
}

function Removal({ eventId, task, onClose, onRemoved }: RemovalProps) {
  const remove = useRemoveTask(eventId, () => {
    onClose()
    onRemoved()
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={task !== null}
      onClose={close}
      title="Delete this task?"
      action="Delete"
      onConfirm={() => task !== null && remove.mutate(task.id)}
      mutation={remove}
    >
      <span className="task-text">{task?.description}</span>
    </ConfirmDialog>
  )
}
