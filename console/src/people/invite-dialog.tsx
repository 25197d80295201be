/** Invites a person and shows the link to hand over. */
import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { LinkAnswer } from '../../../src/console/people.ts'
import { CallError, call } from '../call.ts'
import { SecretDialog } from '../settings/secret-dialog.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { HandOver } from './link-dialog.tsx'
import { ROLE_CHOICES } from './words.ts'

const NO_ONE = { email: '', role: 'MEMBER' }

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [person, setPerson] = useState(NO_ONE)
  const invite = useMutation({
    mutationFn: () => call<LinkAnswer>('POST', 'settings/people/invitations', person),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['people'] }),
    // The link is dropped after it was shown.
    gcTime: 0,
  })
  const forget = () => {
    setPerson(NO_ONE)
    invite.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!invite.isPending) invite.mutate()
  }
  const link = invite.data
  const fields = invite.error instanceof CallError ? invite.error.fields : {}
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={forget}
      title={link === undefined ? 'Invite a person' : `Invitation for ${person.email}`}
      mayClose={!invite.isPending && link === undefined}
    >
      {link === undefined ? (
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label="Email"
              description="They sign in with it."
              type="email"
              value={person.email}
              onChange={({ currentTarget: { value } }) =>
                setPerson((before) => ({ ...before, email: value }))
              }
              error={fields['email']}
              data-autofocus
              autoComplete="off"
            />
            <Select
              label="Role"
              data={ROLE_CHOICES}
              value={person.role}
              onChange={(role) => setPerson((before) => ({ ...before, role: role ?? before.role }))}
              allowDeselect={false}
              error={fields['role']}
            />
            {Object.keys(fields).length > 0 ? null : <ErrorAlert error={invite.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={invite.isPending}>
                Cancel
              </Button>
              <Button type="submit" loading={invite.isPending} disabled={person.email.trim() === ''}>
                Create invitation
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <HandOver link={link} onDone={onClose}>
          Anyone who opens it can join your company.
        </HandOver>
      )}
    </SecretDialog>
  )
}
