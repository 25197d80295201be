/** Creates an API key and shows it once. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { CreatedKeyAnswer, SettingsAnswer } from '../../../src/console/settings.ts'
import { CallError, call, queryClient } from '../call.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Note } from '../ui/note.ts'
import { ErrorAlert } from '../ui/states.tsx'
import { NewSecret, SecretDialog } from './secret-dialog.tsx'

interface CreateKeyProps {
  isOpen: boolean
  onClose: () => void
  settings: SettingsAnswer
}

export function CreateKey({ isOpen, onClose, settings }: CreateKeyProps) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => call<CreatedKeyAnswer>('POST', 'settings/keys', { name }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['settings'] }),
    // The key is dropped after it was shown.
    gcTime: 0,
  })
  const forget = () => {
    setName('')
    create.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const created = create.data
  const nameError = create.error instanceof CallError ? create.error.fields['name'] : undefined
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={forget}
      title={created === undefined ? 'Create API key' : `API key “${created.name}” created`}
      mayClose={!create.isPending && created === undefined}
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
    </SecretDialog>
  )
}

interface NewKeyProps {
  created: CreatedKeyAnswer
  settings: SettingsAnswer
  onDone: () => void
}

function NewKey({ created: { key, curl }, settings: { endpoints, allowedIps }, onDone }: NewKeyProps) {
  const mayCall = endpoints.some(({ isIncluded }) => isIncluded)
  return (
    <Stack gap="lg">
      <NewSecret name="API key" secret={key} />
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
        {mayCall && allowedIps.length > 0 ? <Note>It works only from your allowed IP addresses.</Note> : null}
      </Stack>
      <Group justify="flex-end">
        <Button onClick={onDone}>I have saved the API key</Button>
      </Group>
    </Stack>
  )
}
