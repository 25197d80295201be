/** The head of a day: its date and times, which can be changed, and its removal. */
import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { Dispatch } from 'react'
import { PencilIcon, TrashIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import type { DraftAction } from './draft.ts'
import type { DraftDay } from './draft-details.ts'
import { errorOf } from './line-discount.tsx'

interface DayHeadProps {
  day: DraftDay
  name: string
  date: string
  times: string
  /** Of the location. */
  timeZone: string
  lineCount: number
  errors: string
  dispatch: Dispatch<DraftAction>
}

export function DayHead(props: DayHeadProps) {
  const { day, name, date, times, lineCount, errors, dispatch } = props
  const [isEdited, setIsEdited] = useState(day.stored === null)
  const [isAsking, setIsAsking] = useState(false)
  const remove = (isKeepingLines: boolean) => {
    setIsAsking(false)
    dispatch({ type: 'dayRemoved', id: day.id, isKeepingLines })
  }
  return (
    <>
      <div className="edit-day">
        <Title order={2}>{date}</Title>
        <Note>{times}</Note>
        <Group gap={4} wrap="nowrap">
          {isEdited || errors !== '' ? null : (
            <Button
              className="edit-quiet"
              variant="subtle"
              size="compact-sm"
              leftSection={<PencilIcon />}
              aria-label={`Change day ${name}`}
              onClick={() => setIsEdited(true)}
            >
              Change
            </Button>
          )}
          <Button
            variant="subtle"
            color="red"
            className="edit-danger"
            size="compact-sm"
            leftSection={<TrashIcon />}
            aria-label={`Remove day ${name}`}
            onClick={() => (lineCount === 0 ? remove(false) : setIsAsking(true))}
          >
            Remove day
          </Button>
        </Group>
      </div>
      {isEdited || errors !== '' ? <DayFields {...props} /> : null}
      <Modal opened={isAsking} onClose={() => setIsAsking(false)} title={`Remove ${name}?`}>
        <Stack>
          <Text size="sm">
            {lineCount === 1 ? 'This day has one line.' : `This day has ${lineCount} lines.`} Move them to the
            whole event, or remove them together with the day.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => remove(false)}>
              Remove lines
            </Button>
            <Button onClick={() => remove(true)} data-autofocus>
              Move lines
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function DayFields({ day, timeZone, errors, dispatch }: DayHeadProps) {
  const field = (name: 'date' | 'start' | 'end') => ({
    value: day[name],
    error: errorOf(errors, name),
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      dispatch({ type: 'day', id: day.id, change: { [name]: event.currentTarget.value } }),
  })
  const isNextDay = day.start !== '' && day.end !== '' && day.end <= day.start
  return (
    <div>
      <div className="edit-day-fields">
        <TextInput type="date" max="9999-12-31" label="Date" {...field('date')} />
        <TextInput type="time" label="Start" {...field('start')} />
        <TextInput type="time" label="End" {...field('end')} />
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {isNextDay ? 'Ends on the next day. ' : ''}Times are local to the location ({timeZone}).
      </Text>
    </div>
  )
}
