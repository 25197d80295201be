/** One endpoint with everything that can be done with it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { TestEventAnswer, WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { call } from '../call.ts'
import { formatDate } from '../format.ts'
import { Bone, Loading } from '../loading.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Note } from '../ui/note.ts'
import { ErrorAlert } from '../ui/states.tsx'
import { Attempt } from './attempt.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { DisabledNote, EndpointStatus, EndpointTypes } from './endpoint-parts.tsx'
import { refreshWebhooks } from './queries.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'

interface EndpointPanelProps {
  endpoint: WebhookEndpointShown
}

type Opened = 'edit' | 'rotate' | 'replay' | 'disable' | 'delete'

export function EndpointPanel({ endpoint }: EndpointPanelProps) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const isDisabled = endpoint.status === 'disabled'
  const test = useTestEvent(endpoint.id)
  const opener = (name: Opened, label: string) => (
    <Button variant="default" size="xs" className={`webhook-${name}`} onClick={() => setOpened(name)}>
      {label}
    </Button>
  )
  return (
    <Stack
      className="app-panel"
      p={{ base: 'md', sm: 'lg' }}
      gap="md"
      component="section"
      aria-label="Endpoint"
    >
      <Facts endpoint={endpoint} />
      <DisabledNote endpoint={endpoint} />
      <Group gap="xs">
        <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
          Send test event
        </Button>
        {opener('edit', 'Edit')}
        {opener('rotate', 'Rotate secret')}
        {isDisabled ? null : opener('replay', 'Send again')}
        {isDisabled ? null : opener('disable', 'Disable')}
        {opener('delete', 'Delete')}
      </Group>
      <TestResult {...test} />
      <EndpointDialog endpoint={endpoint} isOpen={opened === 'edit'} onClose={close} />
      <RotateDialog endpoint={endpoint} isOpen={opened === 'rotate'} onClose={close} />
      <ReplayDialog endpoint={endpoint} isOpen={opened === 'replay'} onClose={close} />
      <DisableDialog endpoint={endpoint} isOpen={opened === 'disable'} onClose={close} />
      <DeleteDialog endpoint={endpoint} isOpen={opened === 'delete'} onClose={close} />
    </Stack>
  )
}

function Facts({ endpoint }: EndpointPanelProps) {
  const { url, description, createdAt } = endpoint
  return (
    <Stack gap={6}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Text fw={600} component="div" className="settings-mono app-wrap webhook-url">
          {url}
        </Text>
        <EndpointStatus endpoint={endpoint} />
      </Group>
      <Text size="sm" component="div" className="app-wrap">
        {description}
        <Note span>
          {description === null ? '' : ' · '}Added {formatDate(createdAt)}
        </Note>
      </Text>
      <EndpointTypes endpoint={endpoint} />
    </Stack>
  )
}

const useTestEvent = (id: string) =>
  useMutation({
    mutationFn: () => call<TestEventAnswer>('POST', `webhooks/${encodeURIComponent(id)}/test`),
  })

type Test = ReturnType<typeof useTestEvent>

/** The receiver may need some seconds. */
function TestResult({ isPending, error, data }: Pick<Test, 'isPending' | 'error' | 'data'>) {
  if (isPending)
    return (
      <Loading label="Sending a test event">
        <Bone height={68} radius="md" />
      </Loading>
    )
  if (error !== null) return <ErrorAlert error={error} />
  if (data === undefined) return null
  return (
    <div role="status" className="webhook-test" data-kind={data.isDelivered ? 'good' : 'failed'}>
      <Attempt attempt={data} name="Test event" />
    </div>
  )
}

interface DialogProps extends EndpointPanelProps {
  isOpen: boolean
  onClose: () => void
}

function DisableDialog({ endpoint, isOpen, onClose }: DialogProps) {
  const disable = useMutation({
    mutationFn: () => call('PATCH', `webhooks/${encodeURIComponent(endpoint.id)}`, { status: 'disabled' }),
    onSuccess: async () => {
      onClose()
      await refreshWebhooks()
      notifications.show({ message: 'Disabled the endpoint.' })
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Disable this endpoint?"
      action="Disable endpoint"
      onConfirm={() => disable.mutate()}
      mutation={disable}
    >
      It receives nothing until you enable it again. Pending deliveries fail, and changes in the meantime are
      not sent later.
    </ConfirmDialog>
  )
}

function DeleteDialog({ endpoint, isOpen, onClose }: DialogProps) {
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('DELETE', `webhooks/${encodeURIComponent(endpoint.id)}`),
    onSuccess: async () => {
      await navigate(CONSOLE_PAGES.webhooks, { replace: true })
      await refreshWebhooks()
      notifications.show({ message: 'Deleted the endpoint.' })
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this endpoint?"
      action="Delete endpoint"
      onConfirm={() => remove.mutate()}
      mutation={remove}
    >
      <span className="settings-mono app-wrap">{endpoint.url}</span> receives nothing anymore, and its list of
      deliveries is deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
