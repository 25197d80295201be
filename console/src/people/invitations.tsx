/** Open invitations. */
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { PeopleAnswer } from '../../../src/console/people.ts'
import { call, queryClient } from '../call.ts'
import { formatDateTime } from '../format.ts'
import { MailState } from '../mail/message-list.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { Row, RowList } from '../ui/row-list.tsx'
import { ROLE_WORDS } from './words.ts'

const TITLE_ID = 'invitations-title'

export function Invitations({ invitations }: Pick<PeopleAnswer, 'invitations'>) {
  return (
    <Panel title="Open invitations" titleId={TITLE_ID}>
      {invitations.length === 0 ? (
        <Note>None. Invitations are listed here until they are accepted, or for 7 days.</Note>
      ) : (
        <RowList>
          {invitations.map((invitation) => (
            <Invitation key={invitation.id} invitation={invitation} />
          ))}
        </RowList>
      )}
    </Panel>
  )
}

function Invitation({ invitation }: { invitation: PeopleAnswer['invitations'][number] }) {
  const { id, email, role, invitedBy, expiresAt, mail } = invitation
  const revoke = useMutation({
    mutationFn: () => call('DELETE', `settings/people/invitations/${encodeURIComponent(id)}`),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['people'] })
      notifications.show({ message: `Revoked the invitation of ${email}.` })
      document.getElementById(TITLE_ID)?.focus()
    },
  })
  return (
    <Row
      name={email}
      details={
        <>
          {ROLE_WORDS[role]}
          {invitedBy === null ? '' : ` · Invited by ${invitedBy}`} · Valid until {formatDateTime(expiresAt)}
        </>
      }
      action={{ label: 'Revoke', fullLabel: `Revoke invitation of ${email}`, mutation: revoke }}
    >
      {mail === null ? null : (
        <MailState mail={mail} onRetried={() => queryClient.invalidateQueries({ queryKey: ['people'] })} />
      )}
    </Row>
  )
}
