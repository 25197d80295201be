/** Messages with their status, the latest first. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { MAILS_LISTED } from '../../../src/core/list-limits.ts'
import type { ListedMail } from '../../../src/records/mail/list.ts'
import { call } from '../call.ts'
import { formatDateTime } from '../format.ts'
import { Note } from '../ui/note.ts'
import { Older } from '../ui/older.tsx'
import { Row, RowList } from '../ui/row-list.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import './mail.css'
import { MAIL_KIND_WORDS, MAIL_STATUS } from './words.ts'

interface MessageListProps {
  mails: readonly ListedMail[]
  /** After a message is to be sent again. */
  onRetried: () => unknown
}

export function MessageList({ mails, onRetried }: MessageListProps) {
  return (
    <>
      <RowList>
        {mails.map((mail) => (
          <Message key={mail.id} mail={mail} onRetried={onRetried} />
        ))}
      </RowList>
      {mails.length < MAILS_LISTED ? null : <Older what="messages" count={MAILS_LISTED} />}
    </>
  )
}

function Message({ mail, onRetried }: { mail: ListedMail; onRetried: () => unknown }) {
  const { kind, to, subject } = mail
  return (
    <Row name={subject} details={`${MAIL_KIND_WORDS[kind]} · To ${to}`}>
      <MailState mail={mail} onRetried={onRetried} />
    </Row>
  )
}

/** The status, the reason of a failure, and the button that tries again. */
export function MailState({ mail, onRetried }: { mail: ListedMail; onRetried: () => unknown }) {
  const { id, to, status, error, createdAt, sentAt, nextAttemptAt } = mail
  const retry = useMutation({
    mutationFn: () => call('POST', `mails/${encodeURIComponent(id)}/retry`, {}),
    onSuccess: async () => {
      await onRetried()
      notifications.show({ message: `The message to ${to} is being sent again.` })
    },
  })
  const [label, tone] = MAIL_STATUS[status]
  const isWaiting = status === 'pending' && error !== null
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Status tone={isWaiting ? 'amber' : tone} className="mail-status">
          {isWaiting ? 'Waiting' : label}
        </Status>
        <Note component="time" dateTime={sentAt ?? createdAt}>
          {formatDateTime(sentAt ?? createdAt)}
        </Note>
        {status === 'failed' || isWaiting ? (
          <Button
            variant="default"
            size="xs"
            loading={retry.isPending}
            onClick={() => retry.mutate()}
            aria-label={`Retry message to ${to}`}
          >
            Retry
          </Button>
        ) : null}
      </Group>
      {error === null ? null : (
        <Text size="sm" className="app-wrap">
          {error}
          {isWaiting && nextAttemptAt !== null ? ` Next attempt: ${formatDateTime(nextAttemptAt)}.` : ''}
        </Text>
      )}
      <ErrorAlert error={retry.error} />
    </Stack>
  )
}
