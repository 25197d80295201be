/** One delivery: the request, and each attempt with its response. */
import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { DeliveryAnswer } from '../../../src/console/webhook-deliveries.ts'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { SubjectLink } from '../activity/subject-link.tsx'
import { call } from '../call.ts'
import { useLast } from '../ui/last.ts'
import { Note } from '../ui/note.ts'
import { ErrorAlert, ErrorState, LoadingState } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import { Attempt, Code, CodeHeading } from './attempt.tsx'
import { useDelivery, refreshWebhooks } from './queries.ts'
import { DELIVERY_STATUS, countAttempts, describeNextAttempt, wordsOfDelivery } from './words.ts'

interface DeliveryDialogProps {
  /** Closed without one. */
  id: string | null
  endpoint: WebhookEndpointShown
  onClose: () => void
}

export function DeliveryDialog({ id, endpoint, onClose }: DeliveryDialogProps) {
  const last = useLast(id)
  return (
    <Modal opened={id !== null} onClose={onClose} size="xl" title="Delivery">
      {last === null ? null : <Delivery id={last} endpoint={endpoint} />}
    </Modal>
  )
}

function Delivery({ id, endpoint }: { id: string; endpoint: WebhookEndpointShown }) {
  const { data, error, refetch } = useDelivery(id)
  if (data === undefined)
    return error === null ? (
      <LoadingState lines={6} label="Loading the delivery" />
    ) : (
      <ErrorState error={error} onRetry={refetch} />
    )
  const { delivery, requestBody } = data
  const { attempts } = delivery
  return (
    <Stack gap="lg">
      <Summary delivery={delivery} endpoint={endpoint} />
      <ErrorAlert error={error} />
      <section aria-labelledby="attempts-title">
        <Title order={3} id="attempts-title" mb="xs">
          Attempts
        </Title>
        {attempts.length === 0 ? (
          <Note>No attempt yet. {describeNextAttempt(delivery)}.</Note>
        ) : (
          <ol className="app-list webhook-attempts" reversed>
            {attempts.toReversed().map((attempt, i) => (
              <li key={attempt.at}>
                <Attempt attempt={attempt} name={`Attempt ${attempts.length - i}`} />
              </li>
            ))}
          </ol>
        )}
      </section>
      <div>
        {requestBody === null ? (
          <Note>The change is no longer kept, so its request cannot be shown or sent again.</Note>
        ) : (
          <>
            <CodeHeading text={requestBody}>
              <Title order={3}>Request body</Title>
            </CodeHeading>
            <Code label="Request body">{JSON.stringify(JSON.parse(requestBody), null, 2)}</Code>
          </>
        )}
      </div>
    </Stack>
  )
}

interface SummaryProps {
  delivery: DeliveryAnswer['delivery']
  endpoint: WebhookEndpointShown
}

function Summary({ delivery, endpoint }: SummaryProps) {
  const retry = useMutation({
    mutationFn: () => call('POST', `webhook-deliveries/${encodeURIComponent(delivery.id)}/retry`),
    onSuccess: async () => {
      await refreshWebhooks()
      notifications.show({ message: 'Sending the delivery now.' })
    },
  })
  const [name, tone] = DELIVERY_STATUS[delivery.status]
  const isDisabled = endpoint.status === 'disabled'
  const next = describeNextAttempt(delivery)
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} miw={0}>
          <Group gap="xs">
            <Text fw={600}>{wordsOfDelivery(delivery)}</Text>
            <Status tone={tone} className="webhook-status">
              {name}
            </Status>
          </Group>
          <Text size="sm" component="div" className="app-wrap">
            {delivery.subject === null ? null : (
              <>
                <SubjectLink subject={delivery.subject} name={delivery.subject.id} /> ·{' '}
              </>
            )}
            webhook-id <span className="settings-mono">{delivery.changeId}</span>
          </Text>
          <Note>
            {countAttempts(delivery)}
            {next === null ? null : ` · ${next}`}
          </Note>
        </Stack>
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          disabled={isDisabled}
          aria-describedby={isDisabled ? 'retry-note' : undefined}
          onClick={() => retry.mutate()}
        >
          Retry
        </Button>
      </Group>
      {isDisabled ? (
        <Text size="sm" id="retry-note">
          The endpoint is disabled. Enable it to send this delivery again.
        </Text>
      ) : null}
      <ErrorAlert error={retry.error} />
    </Stack>
  )
}
