/** The user's own sessions: device, address and last use. Each can be ended. */
import { Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { SessionsAnswer } from '../../../src/console/account.ts'
import { call, queryClient, showSignIn } from '../call.ts'
import { formatDateTime, formatRelativeLabel } from '../format.ts'
import { Bone, Loading } from '../loading.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Panel } from '../ui/panel.tsx'
import { Row, RowList } from '../ui/row-list.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'
import { deviceOf } from './device.ts'

const TITLE_ID = 'sessions-title'

export function Sessions() {
  const query = useGet<SessionsAnswer>(['sessions'], 'account/sessions')
  return (
    <Panel
      title="Sessions"
      titleId={TITLE_ID}
      mt="lg"
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
          <RowList>
            {data.sessions.map((session) => (
              <Session key={session.id} session={session} />
            ))}
          </RowList>
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
  const fullLabel = `End session of ${device}${address === null ? '' : ` at ${address}`}`
  return (
    <Row
      name={device}
      details={
        <>
          {isCurrent ? 'This browser' : `Last used ${formatRelativeLabel(lastUsedAt).toLowerCase()}`}
          {address === null ? '' : ` · ${address}`}
          {` · Signed in ${formatDateTime(createdAt)}`}
        </>
      }
      {...(!isCurrent && { action: { label: 'End session', fullLabel, mutation: end } })}
    />
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
