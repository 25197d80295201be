/** Creates an API key and shows it once. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedKeyAnswer, SettingsAnswer } from '../../../src/console/settings.ts'
import { call, errorsOf, queryClient } from '../call.ts'
import { CopyBlock } from '../ui/copy-block.tsx'
import { Form, FormButtons } from '../ui/form.tsx'
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
  const created = create.data
  const { fields, failure } = errorsOf(create.error)
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={forget}
      title={created === undefined ? 'Create API key' : `API key “${created.name}” created`}
      mayClose={!create.isPending && created === undefined}
    >
      {created === undefined ? (
        <Form onSubmit={create.mutate}>
          <Stack>
            <TextInput
              label="Name"
              description="The software that uses the key, so you can tell keys apart."
              placeholder="Website"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={100}
              error={fields['name']}
              data-autofocus
              autoComplete="off"
            />
            <ErrorAlert error={failure} />
            <FormButtons
              action="Create API key"
              onCancel={onClose}
              isBusy={create.isPending}
              isDisabled={name.trim() === ''}
            />
          </Stack>
        </Form>
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
        <CopyBlock title="Try it in a terminal" text={curl} label="Copy command" />
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
