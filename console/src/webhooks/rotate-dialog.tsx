/** Rotates the signing secret of an endpoint and shows the new one once. */
import { NumberInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookEndpointShown, WebhookSecretAnswer } from '../../../src/console/webhooks.ts'
import { call } from '../call.ts'
import { formatDateTime } from '../format.ts'
import { SecretDialog } from '../settings/secret-dialog.tsx'
import { Form, FormButtons } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { NewWebhookSecret } from './new-webhook-secret.tsx'
import { refreshWebhooks } from './queries.ts'

const OVERLAP_HOURS = 24
const OVERLAP_MAX = 72
const HOUR_MS = 3_600_000

interface RotateDialogProps {
  isOpen: boolean
  onClose: () => void
  endpoint: WebhookEndpointShown
}

export function RotateDialog({ isOpen, onClose, endpoint }: RotateDialogProps) {
  const [hours, setHours] = useState<number | string>(OVERLAP_HOURS)
  const rotate = useMutation({
    mutationFn: async (overlapHours: number) => {
      const path = `webhooks/${encodeURIComponent(endpoint.id)}/rotate`
      const { secret } = await call<WebhookSecretAnswer>('POST', path, { overlapHours })
      return { secret, overlapHours, overlapEnd: new Date(Date.now() + overlapHours * HOUR_MS).toISOString() }
    },
    onSuccess: refreshWebhooks,
    gcTime: 0,
  })
  const forget = () => {
    setHours(OVERLAP_HOURS)
    rotate.reset()
  }
  const isValid = typeof hours === 'number' && Number.isInteger(hours) && hours >= 0 && hours <= OVERLAP_MAX
  const rotated = rotate.data
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={forget}
      title={rotated === undefined ? 'Rotate secret' : 'Secret rotated'}
      mayClose={!rotate.isPending && rotated === undefined}
    >
      {rotated === undefined ? (
        <Form onSubmit={() => isValid && !rotate.isPending && rotate.mutate(hours)}>
          <Stack>
            <Text size="sm">
              Creates a new signing secret. Until the overlap ends, the old and the new secret both sign every
              request, so you have time to change it in your software.
            </Text>
            <NumberInput
              label="Overlap in hours"
              description="0 to 72. With 0, the old secret stops at once."
              value={hours}
              onChange={setHours}
              min={0}
              max={OVERLAP_MAX}
              clampBehavior="none"
              allowDecimal={false}
              error={isValid ? undefined : `Enter 0 to ${OVERLAP_MAX} hours.`}
              data-autofocus
            />
            <ErrorAlert error={rotate.error} />
            <FormButtons
              action="Rotate secret"
              onCancel={onClose}
              isBusy={rotate.isPending}
              isDisabled={!isValid}
            />
          </Stack>
        </Form>
      ) : (
        <NewWebhookSecret secret={rotated.secret} onDone={onClose}>
          {rotated.overlapHours === 0
            ? 'Requests are no longer signed with the old secret. Update your software now.'
            : `Both secrets sign until ${formatDateTime(rotated.overlapEnd)}. Change it in your software before then.`}
        </NewWebhookSecret>
      )}
    </SecretDialog>
  )
}
