/** The due date of a task, shown and entered in the time zone of the browser. */
import { Text, TextInput } from '@mantine/core'
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import type { Task } from '../../../src/console/tasks.ts'
import { formatDateTime } from '../format.ts'

const TICK_MS = 20_000

/** The current time, updated regularly, to find overdue tasks. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

const isOverdue = ({ dueDate, completedAt }: Task, now: number): boolean =>
  dueDate !== null && completedAt === null && Date.parse(dueDate) < now

export function DueDate({ task, now }: { task: Task; now: number }) {
  const { dueDate } = task
  if (dueDate === null) return null
  const overdue = isOverdue(task, now)
  return (
    <Text size="sm" component="span" className="task-due" data-overdue={overdue || undefined}>
      {overdue ? 'Overdue since' : 'Due'} <time dateTime={dueDate}>{formatDateTime(dueDate)}</time>
    </Text>
  )
}

const two = (value: number) => String(value).padStart(2, '0')

/** The form of the browser's own field, `2027-02-15T09:30`, in the reader's time; empty for none. */
export function typedDate(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Half a date: the browser gives nothing at all for it, as if there were none. */
export const isHalfTyped = ({ current }: RefObject<HTMLInputElement | null>): boolean =>
  current?.validity.badInput === true

export const HALF_TYPED = 'Enter both a date and a time, or clear both.'

/** Parses the typed due date. Keeps the stored instant if the text still matches it; null for none. */
export function readTyped(typed: string, before: string | null): string | null {
  if (typed === '') return null
  if (typed === typedDate(before)) return before
  const at = new Date(typed)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

interface DueDateFieldProps {
  fieldRef: RefObject<HTMLInputElement | null>
  value: string
  onChange: (typed: string) => void
  error?: string | undefined
}

export function DueDateField({ fieldRef, value, onChange, error }: DueDateFieldProps) {
  return (
    <TextInput
      ref={fieldRef}
      type="datetime-local"
      label="Due (optional)"
      size="sm"
      max="9999-12-31T23:59"
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      className="task-due-field"
    />
  )
}
