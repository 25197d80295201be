/** Sends earlier changes to an endpoint again. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { CallError, call } from '../call.ts'
import { readTyped, typedDate } from '../events/due-date.tsx'
import { formatDateTime } from '../format.ts'
import { ErrorAlert } from '../ui/states.tsx'
import { useRefresh } from './queries.ts'

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
  const refresh = useRefresh()
  const [typed, setTyped] = useState(() => typedDate(new Date(Date.now() - DAY_MS).toISOString()))
  const since = readTyped(typed, null)
  const replay = useMutation({
    mutationFn: (from: string) =>
      call('POST', `webhooks/${encodeURIComponent(endpoint.id)}/replay`, { since: from }),
    onSuccess: async (_, from) => {
      await refresh()
      onClose()
      notifications.show({ message: `Changes since ${formatDateTime(from)} are sent again.` })
    },
  })
  const sinceError = replay.error instanceof CallError ? replay.error.fields['since'] : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (since !== null && !replay.isPending) replay.mutate(since)
  }
  return (
    <form onSubmit={submit} noValidate>
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
          error={since === null ? 'Enter a date and a time.' : sinceError}
          data-autofocus
        />
        {sinceError === undefined ? <ErrorAlert error={replay.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={replay.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={replay.isPending} disabled={since === null}>
            Send again
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
