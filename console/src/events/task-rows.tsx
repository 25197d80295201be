/** The rows of a checklist: open tasks, done tasks, and the one that is being edited. */
import { ActionIcon, Button, Checkbox, Group } from '@mantine/core'
import type { Task } from '../../../src/console/tasks.ts'
import { formatDateTime } from '../format.ts'
import { PencilIcon, TrashIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { DueDate, useNow } from './due-date.tsx'
import type { JustCompleted } from './just-completed.ts'
import { EditTask } from './task-form.tsx'
import { useTick } from './tasks.ts'

interface RowParts {
  eventId: string
  completed: JustCompleted
  arrived: readonly Task[]
  keepFocus: (elementId: string) => void
  editing: Task | null
  onEdit: (task: Task) => void
  onEndEdit: () => void
  onRemove: (task: Task) => void
}

export function TaskList({ label, tasks, row }: { label: string; tasks: readonly Task[]; row: RowParts }) {
  if (tasks.length === 0) return null
  return (
    <ul className="app-list" aria-label={label}>
      {tasks.map((task, index) => (
        <li
          key={task.id}
          className="task"
          data-done={task.completedAt !== null || undefined}
          data-arrived={row.arrived.some(({ id }) => id === task.id) || undefined}
        >
          {row.editing?.id === task.id ? (
            <EditTask eventId={row.eventId} task={row.editing} onEnd={row.onEndEdit} />
          ) : (
            <TaskRow task={task} index={index} {...row} />
          )}
        </li>
      ))}
    </ul>
  )
}

function TaskRow({ task, index, ...row }: { task: Task; index: number } & RowParts) {
  const { eventId, completed, keepFocus, onEdit, onRemove } = row
  const tick = useTick(eventId)
  const now = useNow()
  const { id, description, completedAt } = task
  const setCompleted = (isCompleted: boolean) => {
    if (isCompleted) completed.keep(task, index)
    else completed.undo(id)
    tick.mutate(
      { task, completed: isCompleted },
      { onSuccess: (answer) => completed.update(answer.task), onError: () => completed.update(task) },
    )
    keepFocus(`task-${id}`)
  }
  return (
    <>
      <Checkbox
        id={`task-${id}`}
        checked={completedAt !== null}
        aria-label={description}
        onChange={({ currentTarget }) => setCompleted(currentTarget.checked)}
      />
      <label htmlFor={`task-${id}`} className="task-body">
        <span className="task-text">{description}</span>
        {completedAt === null ? (
          <DueDate task={task} now={now} />
        ) : (
          <Note component="span">
            Done <time dateTime={completedAt}>{formatDateTime(completedAt)}</time>
          </Note>
        )}
      </label>
      <Group gap={2} wrap="nowrap" className="task-actions">
        {completed.isRecent(task) ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Undo: ${description}`}
            onClick={() => setCompleted(false)}
          >
            Undo
          </Button>
        ) : null}
        <ActionIcon id={`edit-${id}`} aria-label={`Edit: ${description}`} onClick={() => onEdit(task)}>
          <PencilIcon />
        </ActionIcon>
        <ActionIcon aria-label={`Delete: ${description}`} onClick={() => onRemove(task)}>
          <TrashIcon />
        </ActionIcon>
      </Group>
    </>
  )
}
