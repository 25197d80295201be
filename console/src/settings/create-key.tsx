/** Creates an API key and shows it once. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { CreatedKeyAnswer, SettingsAnswer } from '../../../src/console/settings.ts'
import { CallError, call } from '../call.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorAlert } from '../ui/states.tsx'

interface CreateKeyProps {
  isOpen: boolean
  onClose: () => void
  settings: SettingsAnswer
}

export function CreateKey({ isOpen, onClose, settings }: CreateKeyProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => call<CreatedKeyAnswer>('POST', 'settings/keys', { name }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['settings'] }),
    // The key is dropped after it was shown.
    gcTime: 0,
  })
  /** After the dialog has closed, so that its content does not change before. */
  const forget = () => {
    setName('')
    create.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const created = create.data
  // A key is shown once, so only its own button closes the dialog while it is created and shown.
  const mayClose = !create.isPending && created === undefined
  const nameError = create.error instanceof CallError ? create.error.fields['name'] : undefined
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={forget}
      size="lg"
      title={
        <Text fw={650}>{created === undefined ? 'Create API key' : `API key “${created.name}” created`}</Text>
      }
      classNames={{ title: 'app-wrap' }}
      closeOnClickOutside={mayClose}
      closeOnEscape={mayClose}
      withCloseButton={mayClose}
    >
      {created === undefined ? (
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label="Name"
              description="The software that uses the key, so you can tell keys apart."
              placeholder="Website"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={100}
              error={nameError}
              data-autofocus
              autoComplete="off"
            />
            {nameError !== undefined ? null : <ErrorAlert error={create.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={create.isPending}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
                Create API key
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <NewKey created={created} settings={settings} onDone={onClose} />
      )}
    </Modal>
  )
}

interface NewKeyProps {
  created: CreatedKeyAnswer
  settings: SettingsAnswer
  onDone: () => void
}

function NewKey({ created: { key, curl }, settings: { endpoints, allowedIps }, onDone }: NewKeyProps) {
  const mayCall = endpoints.some(({ isIncluded }) => isIncluded)
  const copyKey = useRef<HTMLButtonElement>(null)
  // The form is gone, so the focus moves here.
  useEffect(() => copyKey.current?.focus(), [])
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={550} id="new-key">
            Your API key
          </Text>
          <CopyButton text={key} label="Copy API key" ref={copyKey} />
        </Group>
        <pre className="app-code" aria-labelledby="new-key">
          {key}
        </pre>
        <Text size="sm">
          <strong>Copy it now.</strong> You cannot see it again. Store it like a password.
        </Text>
      </Stack>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={550} id="new-key-try">
            Try it in a terminal
          </Text>
          <CopyButton text={curl} label="Copy command" />
        </Group>
        <pre className="app-code" aria-labelledby="new-key-try">
          {curl}
        </pre>
        {mayCall ? null : (
          <Text size="sm">Your plan does not include the API. Requests with this key fail.</Text>
        )}
        {mayCall && allowedIps.length > 0 ? (
          <Text size="sm" c="dimmed">
            It works only from your allowed IP addresses.
          </Text>
        ) : null}
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onDone}>I have saved the API key</Button>
      </Group>
    </Stack>
  )
}
