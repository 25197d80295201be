/** Invites a person by email, or shows the link to hand over. */
import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkAnswer } from '../../../src/console/people.ts'
import { call, errorsOf, queryClient } from '../call.ts'
import { SecretDialog } from '../settings/secret-dialog.tsx'
import { Form, FormButtons } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { HandOver } from './link-dialog.tsx'
import { ROLE_CHOICES } from './words.ts'

const NO_ONE = { email: '', role: 'MEMBER' }

interface InviteDialogProps {
  isOpen: boolean
  isMailConfigured: boolean
  onClose: () => void
}

export function InviteDialog({ isOpen, isMailConfigured, onClose }: InviteDialogProps) {
  const [person, setPerson] = useState(NO_ONE)
  const invite = useMutation({
    mutationFn: (byMail: boolean) =>
      call<LinkAnswer>('POST', 'settings/people/invitations', { ...person, byMail }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['people'] }),
    // The link is dropped after it was shown.
    gcTime: 0,
  })
  const forget = () => {
    setPerson(NO_ONE)
    invite.reset()
  }
  const link = invite.data
  const { fields, failure } = errorsOf(invite.error)
  const isEmpty = person.email.trim() === ''
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      onClosed={forget}
      title={link === undefined ? 'Invite a person' : `Invitation for ${person.email}`}
      mayClose={!invite.isPending && link === undefined}
    >
      {link === undefined ? (
        <Form onSubmit={() => !invite.isPending && invite.mutate(isMailConfigured)}>
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
            <ErrorAlert error={failure} />
            <FormButtons
              action={isMailConfigured ? 'Send invitation' : 'Create invitation'}
              onCancel={onClose}
              isBusy={invite.isPending}
              isDisabled={isEmpty}
            >
              {isMailConfigured ? (
                <Button
                  variant="default"
                  disabled={invite.isPending || isEmpty}
                  onClick={() => invite.mutate(false)}
                >
                  Create link
                </Button>
              ) : null}
            </FormButtons>
          </Stack>
        </Form>
      ) : (
        <HandOver link={link} isMailConfigured={isMailConfigured} onDone={onClose}>
          Anyone who opens it can join your company.
        </HandOver>
      )}
    </SecretDialog>
  )
}
