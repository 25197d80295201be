/** The messages about a quote. */
import { Stack, Title } from '@mantine/core'
import { TextBone } from '../loading.tsx'
import { Note } from '../ui/note.ts'
import { ErrorAlert } from '../ui/states.tsx'
import { MessageList } from './message-list.tsx'
import { useQuoteMails } from './quote-mail.ts'

export function QuoteMessages({ id }: { id: string }) {
  const { data, error, refetch } = useQuoteMails(id)
  return (
    <Stack className="app-panel" p="lg" gap="sm" component="section" aria-labelledby="quote-messages-title">
      <Title order={2} id="quote-messages-title">
        Messages
      </Title>
      <ErrorAlert error={error} />
      {data === undefined ? (
        error === null ? (
          <TextBone width="70%" />
        ) : null
      ) : data.mails.length === 0 ? (
        <Note>
          {data.isMailConfigured
            ? 'None yet. Emails about this quote are listed here with their status.'
            : 'Email is not set up on this server, so no messages are sent. Send the link of the quote yourself.'}
        </Note>
      ) : (
        <MessageList mails={data.mails} onRetried={refetch} />
      )}
    </Stack>
  )
}
