/** Sends earlier changes to an endpoint again. */
import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { call, errorsOf } from '../call.ts'
import { readTyped, typedDate } from '../events/due-date.tsx'
import { formatDateTime } from '../format.ts'
import { Form, FormButtons } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { refreshWebhooks } from './queries.ts'

interface ReplayDialogProps {
  isOpen: boolean
  onClose: () => void
  endpoint: WebhookEndpointShown
}

export function ReplayDialog({ isOpen, onClose, endpoint }: ReplayDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Send changes again">
      <ReplayForm endpoint={endpoint} onClose={onClose} />
    </Modal>
  )
}

const DAY_MS = 86_400_000

function ReplayForm({ endpoint, onClose }: Omit<ReplayDialogProps, 'isOpen'>) {
  const [typed, setTyped] = useState(() => typedDate(new Date(Date.now() - DAY_MS).toISOString()))
  const since = readTyped(typed, null)
  const replay = useMutation({
    mutationFn: (from: string) =>
      call('POST', `webhooks/${encodeURIComponent(endpoint.id)}/replay`, { since: from }),
    onSuccess: async (_, from) => {
      await refreshWebhooks()
      onClose()
      notifications.show({ message: `Changes since ${formatDateTime(from)} are sent again.` })
    },
  })
  const { fields, failure } = errorsOf(replay.error)
  return (
    <Form onSubmit={() => since !== null && !replay.isPending && replay.mutate(since)}>
      <Stack>
        <Text size="sm">
          Sends all changes of this endpoint’s types since a time, oldest first, also those that were
          delivered. Each has the same webhook-id as before, so your software can skip the ones it knows.
        </Text>
        <TextInput
          type="datetime-local"
          label="Since"
          value={typed}
          max="9999-12-31T23:59"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={since === null ? 'Enter a date and a time.' : fields['since']}
          data-autofocus
        />
        <ErrorAlert error={failure} />
        <FormButtons
          action="Send again"
          onCancel={onClose}
          isBusy={replay.isPending}
          isDisabled={since === null}
        />
      </Stack>
    </Form>
  )
}
