/** Parts of an endpoint that the list and its page share. */
import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { call } from '../call.ts'
import { notifyFailure } from '../ui/notify.ts'
import { Status } from '../ui/status.tsx'
import { refreshWebhooks } from './queries.ts'
import { ENDPOINT_STATUS, wordsOfType } from './words.ts'

interface EndpointProps {
  endpoint: WebhookEndpointShown
}

export function EndpointStatus({ endpoint: { status } }: EndpointProps) {
  const [name, tone] = ENDPOINT_STATUS[status]
  return (
    <Status tone={tone} className="webhook-status">
      {name}
    </Status>
  )
}

/** With `most`, the rest is only counted. */
export function EndpointTypes({
  endpoint: { types },
  most = types.length,
}: EndpointProps & { most?: number }) {
  const shown = types.length <= most + 1 ? types : types.slice(0, most)
  return (
    <ul className="app-list webhook-chips" aria-label="Changes to send">
      {shown.map((type) => (
        <li key={type}>{wordsOfType(type)}</li>
      ))}
      {shown.length < types.length ? <li>{types.length - shown.length} more</li> : null}
    </ul>
  )
}

/** Renders nothing for an enabled endpoint. */
export function DisabledNote({ endpoint }: EndpointProps) {
  const enable = useMutation({
    mutationFn: () => call('PATCH', `webhooks/${encodeURIComponent(endpoint.id)}`, { status: 'enabled' }),
    onSuccess: async () => {
      await refreshWebhooks()
      notifications.show({ message: 'Enabled the endpoint. It receives changes from now on.' })
    },
    onError: notifyFailure('Could not enable the endpoint'),
  })
  if (endpoint.status === 'enabled') return null
  return (
    <Group justify="space-between" gap="sm" className="webhook-note">
      <Text size="sm" className="webhook-note-text">
        <strong>{endpoint.disabledReason ?? 'A user disabled this endpoint.'}</strong> Changes in the meantime
        are not sent when you enable it. Use Send again afterwards to send them.
      </Text>
      <Button
        variant="default"
        size="xs"
        loading={enable.isPending}
        onClick={() => enable.mutate()}
        aria-label={`Enable ${endpoint.url}`}
      >
        Enable
      </Button>
    </Group>
  )
}
