/** Email: whether it is set up, a test, and the latest messages. */
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { MailSettingsAnswer } from '../../../src/console/mails.ts'
import { call, get } from '../call.ts'
import { Loading, PanelBones } from '../loading.tsx'
import { MessageList } from '../mail/message-list.tsx'
import { useSession } from '../session.ts'
import { ForAdministrators } from '../settings/for-administrators.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorAlert, ErrorState } from '../ui/states.tsx'

export default function Mail() {
  return (
    <ForAdministrators title="Email">
      <MailSettings />
    </ForAdministrators>
  )
}

/** A message is sent within seconds. */
const REFRESH_MS = 3_000

function MailSettings() {
  const { data, error, refetch } = useQuery({
    queryKey: ['mail'],
    queryFn: () => get<MailSettingsAnswer>('settings/mail'),
    refetchInterval: ({ state }) =>
      state.data?.mails.some(({ status, error: reason }) => status === 'pending' && reason === null) === true
        ? REFRESH_MS
        : false,
  })
  return (
    <>
      <PageHeader title="Email" subtitle="Messages to customers and to your team." />
      <SettingsTabs />
      {data === undefined ? (
        error === null ? (
          <Loading label="Loading email settings">
            <Stack gap="lg">
              <PanelBones lines={2} />
              <PanelBones lines={4} />
            </Stack>
          </Loading>
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <Stack gap="lg">
          <ErrorAlert error={error} />
          <Sending from={data.from} onSent={refetch} />
          <Stack className="app-panel" p="lg" gap="md" component="section" aria-labelledby="messages-title">
            <Title order={2} id="messages-title">
              Latest messages
            </Title>
            {data.mails.length === 0 ? (
              <EmptyState title="No messages yet">
                Quotes, reminders, invitations and password resets that are sent by email appear here with
                their status.
              </EmptyState>
            ) : (
              <MessageList mails={data.mails} onRetried={refetch} />
            )}
          </Stack>
        </Stack>
      )}
    </>
  )
}

function Sending({ from, onSent }: { from: string | null; onSent: () => unknown }) {
  const { user } = useSession()
  const test = useMutation({
    mutationFn: () => call('POST', 'settings/mail/test', {}),
    onSuccess: async () => {
      await onSent()
      notifications.show({ message: `The test message to ${user.email} is being sent.` })
    },
  })
  return (
    <Stack className="app-panel" p="lg" gap="md" component="section" aria-labelledby="sending-title">
      <Title order={2} id="sending-title">
        Sending
      </Title>
      {from === null ? (
        <Alert color="blue" title="Email is not set up on this server">
          Nothing is sent. Dialogs show links that you can copy and send yourself. To set it up, the operator
          of the server sets SMTP_URL and MAIL_FROM.
        </Alert>
      ) : (
        <>
          <Text size="sm" className="app-wrap">
            Messages are sent from <strong>{from}</strong> in the name of your company. Replies to quotes go
            to the email address in your company profile.
          </Text>
          <ErrorAlert error={test.error} />
          <Group>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Send a test message to me
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
