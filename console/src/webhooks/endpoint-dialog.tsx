/** Adds an endpoint and shows its secret once, or edits one. */
import { Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ENDPOINT_DESCRIPTION_MAX } from '../../../src/core/webhooks/endpoint-types.ts'
import type { WebhookEndpointShown, WebhookSecretAnswer } from '../../../src/console/webhooks.ts'
import { call, errorsOf } from '../call.ts'
import { SecretDialog } from '../settings/secret-dialog.tsx'
import { Form, FormButtons, useFocusOnError } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { NewWebhookSecret } from './new-webhook-secret.tsx'
import { refreshWebhooks } from './queries.ts'
import { TypeChoice } from './type-choice.tsx'
import { ALL_CHANGES } from './words.ts'

interface EndpointInput {
  url: string
  description: string | null
  types: string[]
}

interface EndpointDialogProps {
  isOpen: boolean
  onClose: () => void
  /** To edit; a new one without it. */
  endpoint?: WebhookEndpointShown
}

export function EndpointDialog({ isOpen, onClose, endpoint }: EndpointDialogProps) {
  const save = useMutation({
    mutationFn: async (input: EndpointInput) => {
      if (endpoint === undefined) return call<WebhookSecretAnswer>('POST', 'webhooks', input)
      await call('PATCH', `webhooks/${encodeURIComponent(endpoint.id)}`, input)
      return null
    },
    onSuccess: async (created) => {
      await refreshWebhooks()
      if (created !== null) return
      onClose()
      notifications.show({ message: 'Saved the endpoint.' })
    },
    // The secret is dropped after it was shown.
    gcTime: 0,
  })
  const created = save.data ?? null
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={save.reset}
      title={
        created === null ? (endpoint === undefined ? 'Add endpoint' : 'Edit endpoint') : 'Endpoint added'
      }
      mayClose={!save.isPending && created === null}
    >
      {created === null ? (
        <EndpointForm
          {...(endpoint !== undefined && { endpoint })}
          onCancel={onClose}
          onSave={save.mutate}
          isBusy={save.isPending}
          error={save.error}
        />
      ) : (
        <NewWebhookSecret secret={created.secret} onDone={onClose}>
          Your software uses it to check that requests come from here. Open the endpoint to send it a test
          event.
        </NewWebhookSecret>
      )}
    </SecretDialog>
  )
}

interface EndpointFormProps extends Pick<EndpointDialogProps, 'endpoint'> {
  onCancel: () => void
  onSave: (input: EndpointInput) => void
  isBusy: boolean
  error: Error | null
}

function EndpointForm({ endpoint, onCancel, onSave, isBusy, error }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [types, setTypes] = useState(endpoint?.types ?? [ALL_CHANGES])
  const { fields, failure } = errorsOf(error)
  const errorOf = (name: string) =>
    Object.entries(fields).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1]
  const form = useFocusOnError(error)
  const submit = () => {
    if (!isBusy) onSave({ url: url.trim(), description: description.trim() || null, types })
  }
  return (
    <Form ref={form} onSubmit={submit}>
      <Stack>
        <TextInput
          label="URL"
          description="Changes are sent to it as POST requests."
          placeholder="https://example.com/webhooks"
          type="url"
          inputMode="url"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={errorOf('url')}
          maxLength={2_000}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Description (optional)"
          placeholder="Accounting"
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          error={errorOf('description')}
          maxLength={ENDPOINT_DESCRIPTION_MAX}
          autoComplete="off"
        />
        <TypeChoice value={types} onChange={setTypes} error={errorOf('types')} />
        <ErrorAlert error={failure} />
        <FormButtons
          action={endpoint === undefined ? 'Add endpoint' : 'Save endpoint'}
          onCancel={onCancel}
          isBusy={isBusy}
          isDisabled={url.trim() === ''}
        />
        {endpoint === undefined ? (
          <Text size="xs" c="dimmed">
            It receives changes from now on. Its signing secret is shown in the next step.
          </Text>
        ) : null}
      </Stack>
    </Form>
  )
}
