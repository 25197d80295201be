/** Creates a link with which a user sets a new password, and sends or shows it. */
import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { LinkAnswer, PeopleAnswer } from '../../../src/console/people.ts'
import { call } from '../call.ts'
import { SecretDialog } from '../settings/secret-dialog.tsx'
import { Form, FormButtons } from '../ui/form.tsx'
import { useLast } from '../ui/last.ts'
import { ErrorAlert } from '../ui/states.tsx'
import { HandOver } from './link-dialog.tsx'

type User = PeopleAnswer['users'][number]

interface ResetDialogProps {
  user: User | null
  isMailConfigured: boolean
  onClose: () => void
}

export function ResetDialog({ user, isMailConfigured, onClose }: ResetDialogProps) {
  const last = useLast(user)
  const create = useMutation({
    mutationFn: ({ id, byMail }: { id: string; byMail: boolean }) =>
      call<LinkAnswer>('POST', `settings/people/${encodeURIComponent(id)}/reset-link`, { byMail }),
    gcTime: 0,
  })
  const link = create.data
  const send = (byMail: boolean) => last !== null && create.mutate({ id: last.id, byMail })
  return (
    <SecretDialog
      isOpen={user !== null}
      onClose={onClose}
      onClosed={create.reset}
      title={`Password reset for ${last?.name ?? ''}`}
      mayClose={!create.isPending && link === undefined}
    >
      {link === undefined ? (
        <Form onSubmit={() => send(isMailConfigured)}>
          <Stack>
            <Text size="sm">
              Creates a link with which {last?.name} can set a new password. The current password keeps
              working until then. An earlier link stops working.
            </Text>
            <ErrorAlert error={create.error} />
            <FormButtons
              action={isMailConfigured ? 'Send link by email' : 'Create link'}
              onCancel={onClose}
              isBusy={create.isPending}
            >
              {isMailConfigured ? (
                <Button variant="default" disabled={create.isPending} onClick={() => send(false)}>
                  Create link
                </Button>
              ) : null}
            </FormButtons>
          </Stack>
        </Form>
      ) : (
        <HandOver link={link} isMailConfigured={isMailConfigured} onDone={onClose}>
          Anyone who opens it can set a new password for this user.
        </HandOver>
      )}
    </SecretDialog>
  )
}
