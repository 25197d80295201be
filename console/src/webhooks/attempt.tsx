/** One attempt to send a request: its outcome and the response. */
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DeliveryShown } from '../../../src/console/webhook-deliveries.ts'
import { formatDuration, formatInstant } from '../settings/request-words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Note } from '../ui/note.ts'
import { describeOutcome } from './words.ts'

type Attempted = DeliveryShown['attempts'][number]

interface AttemptProps {
  attempt: Attempted
  /** `Attempt 2`, or what else it was. */
  name: string
}

/** A 2xx is a delivery. */
const isGood = ({ status, error }: Attempted) =>
  error === null && status !== null && status >= 200 && status < 300

export function Attempt({ attempt, name }: AttemptProps) {
  const { at, durationMs, status, response } = attempt
  return (
    <>
      <Group gap="xs" justify="space-between" mb={6}>
        <Text size="sm" component="div" className="app-wrap">
          <span className="settings-state webhook-outcome" data-kind={isGood(attempt) ? 'good' : 'failed'}>
            {describeOutcome(attempt)}
          </span>
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {name} · <time dateTime={at}>{formatInstant(at)}</time> · {formatDuration(durationMs * 1_000)}
        </Text>
      </Group>
      {response === '' ? (
        status === null ? null : (
          <Note>The response has no body.</Note>
        )
      ) : (
        <Code label={`Response of ${name.toLowerCase()}`}>{response}</Code>
      )}
    </>
  )
}

/** Long texts scroll, also with the keyboard. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="app-code webhook-code" role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  )
}

export function CodeHeading({ children, text }: { children: ReactNode; text: string }) {
  return (
    <Group justify="space-between" gap="xs" mb={6}>
      {children}
      <CopyButton text={text} label="Copy" />
    </Group>
  )
}
