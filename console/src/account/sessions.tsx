/** The user's own sessions: device, address and last use. Each can be ended. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { SessionsAnswer } from '../../../src/console/account.ts'
import { call, get, queryClient, showSignIn } from '../call.ts'
import { formatDateTime, formatRelativeLabel } from '../format.ts'
import { Bone, Loading } from '../loading.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { deviceOf } from './device.ts'
import './sessions.css'

const TITLE_ID = 'sessions-title'

export function Sessions() {
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: () => get<SessionsAnswer>('account/sessions'),
  })
  return (
    <Panel
      title="Sessions"
      titleId={TITLE_ID}
      note="Browsers in which you are signed in. End those that you do not recognize, and change your password."
    >
      <Loaded
        query={query}
        skeleton={
          <Loading label="Loading your sessions">
            <Stack gap="md">
              <Bone height={44} />
              <Bone height={44} />
            </Stack>
          </Loading>
        }
      >
        {(data) => (
          <ul className="app-list session-list">
            {data.sessions.map((session) => (
              <Session key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
      <SignOutEverywhere />
    </Panel>
  )
}

function Session({ session }: { session: SessionsAnswer['sessions'][number] }) {
  const { id, userAgent, address, createdAt, lastUsedAt, isCurrent } = session
  const device = deviceOf(userAgent)
  const end = useMutation({
    mutationFn: () => call('DELETE', `account/sessions/${encodeURIComponent(id)}`),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
      notifications.show({ message: `Ended the session of ${device}.` })
      // The button that was pressed is gone with its session.
      document.getElementById(TITLE_ID)?.focus()
    },
  })
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={550}>
            {device}
          </Text>
          <Note className="app-wrap">
            {isCurrent ? 'This browser' : `Last used ${formatRelativeLabel(lastUsedAt).toLowerCase()}`}
            {address === null ? '' : ` · ${address}`}
            {` · Signed in ${formatDateTime(createdAt)}`}
          </Note>
        </Stack>
        {isCurrent ? null : (
          <Button
            variant="default"
            size="xs"
            flex="none"
            loading={end.isPending}
            onClick={() => end.mutate()}
            aria-label={`End session of ${device}${address === null ? '' : ` at ${address}`}`}
          >
            End session
          </Button>
        )}
      </Group>
      <ErrorAlert error={end.error} />
    </li>
  )
}

function SignOutEverywhere() {
  const signOut = useMutation({ mutationFn: () => call('DELETE', 'sessions'), onSuccess: showSignIn })
  return (
    <>
      <ErrorAlert error={signOut.error} />
      <Button variant="default" onClick={() => signOut.mutate()} loading={signOut.isPending} w="fit-content">
        Sign out everywhere
      </Button>
    </>
  )
}
