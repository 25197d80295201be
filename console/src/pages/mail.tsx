/** Email: whether it is set up, a test, and the latest messages. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { MailSettingsAnswer } from '../../../src/console/mails.ts'
import { call } from '../call.ts'
import { LoadingPanels } from '../loading.tsx'
import { MessageList } from '../mail/message-list.tsx'
import { whileSending } from '../mail/quote-mail.ts'
import { useSession } from '../session.ts'
import { forAdministrators } from '../settings/for-administrators.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { EmptyState, ErrorAlert } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default forAdministrators('Email', MailSettings)

function MailSettings() {
  const query = useGet<MailSettingsAnswer>(['mail'], 'settings/mail', {
    refetchInterval: whileSending,
  })
  return (
    <>
      <PageHeader title="Email" subtitle="Messages to customers and to your team." />
      <SettingsTabs />
      <Loaded query={query} skeleton={<LoadingPanels label="Loading email settings" lines={[2, 4]} />}>
        {(data) => (
          <Stack gap="lg">
            <ErrorAlert error={query.error} />
            <Sending from={data.from} onSent={query.refetch} />
            <Panel title="Latest messages">
              {data.mails.length === 0 ? (
                <EmptyState title="No messages yet">
                  Quotes, reminders, invitations and password resets that are sent by email appear here with
                  their status.
                </EmptyState>
              ) : (
                <MessageList mails={data.mails} onRetried={query.refetch} />
              )}
            </Panel>
          </Stack>
        )}
      </Loaded>
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
    <Panel title="Sending">
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
    </Panel>
  )
}
