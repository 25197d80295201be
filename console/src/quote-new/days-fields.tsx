/** The days of a new quote, with times as clocks at the location show them. */
import { ActionIcon, Button, Stack, Text, TextInput } from '@mantine/core'
import { nextDay } from '../quote-edit/draft-details.ts'
import type { DraftDay } from '../quote-edit/draft-details.ts'
import { PlusIcon, TrashIcon } from '../ui/icons.tsx'
import type { FormErrors } from './form.ts'

interface DaysFieldsProps {
  days: readonly DraftDay[]
  timeZone: string | null
  errors: FormErrors
  onChange: (days: DraftDay[]) => void
}

export function DaysFields({ days, timeZone, errors, onChange }: DaysFieldsProps) {
  return (
    <Stack gap="sm">
      {days.map((day, index) => (
        <DayFields
          key={day.id}
          day={day}
          number={index + 1}
          errors={errors}
          onChange={(changed) => onChange(days.map((one) => (one.id === day.id ? changed : one)))}
          onRemove={days.length === 1 ? null : () => onChange(days.filter(({ id }) => id !== day.id))}
        />
      ))}
      <Text size="xs" c="dimmed">
        {timeZone === null
          ? 'Times are local to the location.'
          : `Times are local to the location (${timeZone}).`}{' '}
        An end before the start is on the next day.
      </Text>
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<PlusIcon />}
          onClick={() => onChange([...days, nextDay(days)])}
        >
          Add day
        </Button>
      </div>
    </Stack>
  )
}

function DayFields(props: {
  day: DraftDay
  number: number
  errors: FormErrors
  onChange: (day: DraftDay) => void
  /** Null for the only day. */
  onRemove: (() => void) | null
}) {
  const { day, number, errors, onChange, onRemove } = props
  const field = (name: 'date' | 'start' | 'end') => ({
    value: day[name],
    error: errors[`${day.id}.${name}`],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ ...day, [name]: event.currentTarget.value }),
  })
  return (
    <div className="new-day" role="group" aria-label={`Day ${number}`}>
      <TextInput type="date" max="9999-12-31" label={`Day ${number}`} {...field('date')} />
      <TextInput type="time" label="Start" {...field('start')} />
      <TextInput type="time" label="End" {...field('end')} />
      {onRemove === null ? null : (
        <ActionIcon
          color="red"
          className="edit-danger"
          aria-label={`Remove day ${number}`}
          onClick={onRemove}
        >
          <TrashIcon />
        </ActionIcon>
      )}
    </div>
  )
}
