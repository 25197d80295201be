/** Creates a link with which a user sets a new password, and sends or shows it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkAnswer, PeopleAnswer } from '../../../src/console/people.ts'
import { call } from '../call.ts'
import { SecretDialog } from '../settings/secret-dialog.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { HandOver } from './link-dialog.tsx'

type User = PeopleAnswer['users'][number]

interface ResetDialogProps {
  user: User | null
  isMailConfigured: boolean
  onClose: () => void
}

export function ResetDialog({ user, isMailConfigured, onClose }: ResetDialogProps) {
  // The dialog still shows the name while it fades away.
  const [last, setLast] = useState(user)
  if (user !== null && user !== last) setLast(user)
  const create = useMutation({
    mutationFn: ({ id, byMail }: { id: string; byMail: boolean }) =>
      call<LinkAnswer>('POST', `settings/people/${encodeURIComponent(id)}/reset-link`, { byMail }),
    gcTime: 0,
  })
  const link = create.data
  return (
    <SecretDialog
      isOpen={user !== null}
      onClose={onClose}
      onClosed={create.reset}
      title={`Password reset for ${last?.name ?? ''}`}
      mayClose={!create.isPending && link === undefined}
    >
      {link === undefined ? (
        <Stack>
          <Text size="sm">
            Creates a link with which {last?.name} can set a new password. The current password keeps working
            until then. An earlier link stops working.
          </Text>
          <ErrorAlert error={create.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={create.isPending}>
              Cancel
            </Button>
            {isMailConfigured ? (
              <Button
                variant="default"
                disabled={create.isPending}
                onClick={() => last !== null && create.mutate({ id: last.id, byMail: false })}
              >
                Create link
              </Button>
            ) : null}
            <Button
              loading={create.isPending}
              onClick={() => last !== null && create.mutate({ id: last.id, byMail: isMailConfigured })}
              data-autofocus
            >
              {isMailConfigured ? 'Send link by email' : 'Create link'}
            </Button>
          </Group>
        </Stack>
      ) : (
        <HandOver link={link} isMailConfigured={isMailConfigured} onDone={onClose}>
          Anyone who opens it can set a new password for this user.
        </HandOver>
      )}
    </SecretDialog>
  )
}
