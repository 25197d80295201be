/** Adding a task, and editing one where it stands. */
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import type { KeyboardEvent, Ref } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../../src/console/tasks.ts'
import { CallError } from '../call.ts'
import { formatDateTime } from '../format.ts'
import { Form } from '../ui/form.tsx'
import { DueDateField, HALF_TYPED, isHalfTyped, readTyped, typedDate } from './due-date.tsx'
import { readTasks, useAddTask, useEditTask, useReadAt } from './tasks.ts'

/** Enter sends; with Shift it begins a new line. Not while a word is being composed. */
function sendOnEnter(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  send()
}

function messageOf(error: Error | null, field: string): string | undefined {
  return error instanceof CallError ? error.fields[field] : undefined
}

interface GeneralErrorProps {
  eventId: string
  change: { error: Error | null; submittedAt: number }
}

/** An error that belongs to no field. */
function GeneralError({ eventId, change: { error, submittedAt } }: GeneralErrorProps) {
  const readAt = useReadAt(eventId)
  if (error === null || (error instanceof CallError && Object.keys(error.fields).length > 0)) return null
  // Whether it had arrived all the same, the list says.
  if (error instanceof CallError && error.status === 0 && readAt > submittedAt)
    return (
      <Text size="sm" role="status" mt="xs">
        Connected again. Retry if your change is not in the list.
      </Text>
    )
  return (
    <Alert color="red" role="alert" p="xs" mt="xs">
      {error.message}
    </Alert>
  )
}

interface AddTaskProps {
  eventId: string
  onAdded: (task: Task) => void
  fieldRef: Ref<HTMLTextAreaElement>
}

export function AddTask({ eventId, onAdded, fieldRef }: AddTaskProps) {
  const [description, setDescription] = useState('')
  const [due, setDue] = useState('')
  const add = useAddTask(eventId, (task) => {
    onAdded(task)
    setDescription('')
    setDue('')
  })
  const dueField = useRef<HTMLInputElement>(null)
  const [isHalf, setHalf] = useState(false)
  const send = () => {
    if (description.trim() === '' || add.isPending) return
    setHalf(isHalfTyped(dueField))
    if (!isHalfTyped(dueField)) add.mutate({ description, dueDate: readTyped(due, null) })
  }
  return (
    <Form onSubmit={send} className="task-add">
      <Textarea
        ref={fieldRef}
        aria-label="New task"
        placeholder="Add a task"
        autosize
        maxRows={8}
        value={description}
        error={messageOf(add.error, 'description')}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        onKeyDown={(event) => sendOnEnter(event, send)}
      />
      {description.trim() === '' ? null : (
        <Group gap="sm" mt="xs" align="flex-end">
          <DueDateField
            fieldRef={dueField}
            value={due}
            onChange={setDue}
            error={isHalf ? HALF_TYPED : messageOf(add.error, 'dueDate')}
          />
          <Button type="submit" size="sm" loading={add.isPending}>
            Add
          </Button>
        </Group>
      )}
      <GeneralError eventId={eventId} change={add} />
    </Form>
  )
}

interface EditTaskProps {
  eventId: string
  /** As it was when the edit began. */
  task: Task
  onEnd: () => void
}

export function EditTask({ eventId, task, onEnd }: EditTaskProps) {
  const [description, setDescription] = useState(task.description)
  const [due, setDue] = useState(typedDate(task.dueDate))
  const [theirs, setTheirs] = useState<Task | null>(null)
  const edit = useEditTask(eventId, onEnd)
  const dueField = useRef<HTMLInputElement>(null)
  const [isHalf, setHalf] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  // Puts the cursor after the existing text.
  useEffect(() => {
    const { current } = field
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  const save = async (from: Task) => {
    if (edit.isPending || description.trim() === '') return
    setHalf(isHalfTyped(dueField))
    if (isHalfTyped(dueField)) return
    const draft = { description, dueDate: readTyped(due, task.dueDate) }
    setTheirs(null)
    const error = await edit.mutateAsync({ id: task.id, updatedAt: from.updatedAt, ...draft }).then(
      () => null,
      (failure: unknown) => failure,
    )
    if (!(error instanceof CallError) || error.code !== 'conflict') return
    const now = await findTask(eventId, task.id)
    // Another user only completed or reopened it, which does not conflict with the typed text.
    const isSame = now?.description === task.description && now.dueDate === task.dueDate
    if (now !== undefined && isSame && from === task) await save(now)
    else setTheirs(now ?? null)
  }
  return (
    <Form onSubmit={() => void save(task)} className="task-edit" aria-label={`Edit: ${task.description}`}>
      <Stack gap="xs">
        <Textarea
          aria-label="Task"
          autosize
          maxRows={12}
          ref={field}
          value={description}
          error={messageOf(edit.error, 'description')}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onEnd()
            sendOnEnter(event, () => void save(task))
          }}
        />
        <DueDateField
          fieldRef={dueField}
          value={due}
          onChange={setDue}
          error={isHalf ? HALF_TYPED : messageOf(edit.error, 'dueDate')}
        />
        {theirs === null ? (
          <GeneralError eventId={eventId} change={edit} />
        ) : (
          <Conflict theirs={theirs} onKeepMine={() => void save(theirs)} onTakeTheirs={onEnd} />
        )}
        {theirs === null ? (
          <Group gap="xs">
            <Button type="submit" size="xs" loading={edit.isPending} disabled={description.trim() === ''}>
              Save
            </Button>
            <Button size="xs" variant="default" onClick={onEnd}>
              Cancel
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Form>
  )
}

async function findTask(eventId: string, id: string): Promise<Task | undefined> {
  const [task] = await readTasks(eventId, [id])
  return task
}

interface ConflictProps {
  theirs: Task
  onKeepMine: () => void
  onTakeTheirs: () => void
}

function Conflict({ theirs, onKeepMine, onTakeTheirs }: ConflictProps) {
  return (
    <Alert
      className="notice-short"

      role="alert"
      p="sm"
      title="Someone else changed this task"
    >
      <Stack gap="xs">
        <Text size="sm">It now says:</Text>
        <Text size="sm" component="blockquote" m={0} className="task-text">
          {theirs.description}
          {theirs.dueDate === null ? '' : ` (due ${formatDateTime(theirs.dueDate)})`}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onKeepMine}>
            Overwrite with mine
          </Button>
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            Keep theirs
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
