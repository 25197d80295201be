/** Open invitations. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { PeopleAnswer } from '../../../src/console/people.ts'
import '../account/sessions.css'
import { call, queryClient } from '../call.ts'
import { formatDateTime } from '../format.ts'
import { MailState } from '../mail/message-list.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { ROLE_WORDS } from './words.ts'

const TITLE_ID = 'invitations-title'

export function Invitations({ invitations }: Pick<PeopleAnswer, 'invitations'>) {
  return (
    <Panel title="Open invitations" titleId={TITLE_ID}>
      {invitations.length === 0 ? (
        <Note>None. Invitations are listed here until they are accepted, or for 7 days.</Note>
      ) : (
        <ul className="app-list session-list">
          {invitations.map((invitation) => (
            <Invitation key={invitation.id} invitation={invitation} />
          ))}
        </ul>
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
    <li>
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={550} className="app-wrap">
            {email}
          </Text>
          <Note className="app-wrap">
            {ROLE_WORDS[role]}
            {invitedBy === null ? '' : ` · Invited by ${invitedBy}`} · Valid until {formatDateTime(expiresAt)}
          </Note>
          {mail === null ? null : (
            <MailState
              mail={mail}
              onRetried={() => queryClient.invalidateQueries({ queryKey: ['people'] })}
            />
          )}
        </Stack>
        <Button
          variant="default"
          size="xs"
          flex="none"
          loading={revoke.isPending}
          onClick={() => revoke.mutate()}
          aria-label={`Revoke invitation of ${email}`}
        >
          Revoke
        </Button>
      </Group>
      <ErrorAlert error={revoke.error} />
    </li>
  )
}
