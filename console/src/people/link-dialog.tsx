/** A link to hand over, shown once, or the note that it is sent by email. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { LinkAnswer } from '../../../src/console/people.ts'
import { formatDateTime } from '../format.ts'
import { CopyButton } from '../ui/copy-button.tsx'

interface HandOverProps {
  link: LinkAnswer
  isMailConfigured: boolean
  /** The effect of the link. */
  children: string
  onDone: () => void
}

export function HandOver({
  link: { url, sentTo, expiresAt },
  isMailConfigured,
  children,
  onDone,
}: HandOverProps) {
  const copy = useRef<HTMLButtonElement>(null)
  // The form is gone, so the focus moves here.
  useEffect(() => copy.current?.focus(), [])
  if (url === null)
    return (
      <Stack>
        <Text size="sm" role="status" className="app-wrap">
          The link is being sent to <strong>{sentTo}</strong>. {children} It works once, until{' '}
          {formatDateTime(expiresAt)}.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onDone} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Stack>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={550} id="hand-over">
          Link to hand over
        </Text>
        <CopyButton text={url} label="Copy link" ref={copy} />
      </Group>
      <pre className="app-code" aria-labelledby="hand-over">
        {url}
      </pre>
      <Text size="sm">
        {children} It works once, until {formatDateTime(expiresAt)}.
      </Text>
      <Text size="sm">
        <strong>Copy it now and send it yourself.</strong>{' '}
        {isMailConfigured ? 'Nothing was sent.' : 'Mail is not set up on this server, so nothing was sent.'}{' '}
        You cannot see the link again.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
