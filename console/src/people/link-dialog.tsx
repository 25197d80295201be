/** A link to hand over, shown once, or the note that it is sent by email. */
import { Button, Group, Stack, Text } from '@mantine/core'
import type { LinkAnswer } from '../../../src/console/people.ts'
import { formatDateTime } from '../format.ts'
import { CopyBlock } from '../ui/copy-block.tsx'

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
      <CopyBlock title="Link to hand over" text={url} label="Copy link" isFocused />
      <Text size="sm">
        {children} It works once, until {formatDateTime(expiresAt)}.
      </Text>
      <Text size="sm">
        <strong>Copy it now and send it yourself.</strong>{' '}
        {isMailConfigured ? 'Nothing was sent.' : 'Email is not set up on this server, so nothing was sent.'}{' '}
        You cannot see the link again.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
