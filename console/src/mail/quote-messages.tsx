/** The messages about a quote. */
import { TextBone } from '../loading.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { MessageList } from './message-list.tsx'
import { useQuoteMails } from './quote-mail.ts'

export function QuoteMessages({ id }: { id: string }) {
  const { data, error, refetch } = useQuoteMails(id)
  return (
    <Panel title="Messages" gap="sm">
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
    </Panel>
  )
}
