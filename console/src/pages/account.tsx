/** The user's account: change the password, see and end sessions. */
import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Sessions } from '../account/sessions.tsx'
import { call, errorsOf, showSignIn } from '../call.ts'
import { PasswordField } from '../links/password-field.tsx'
import { useSession } from '../session.ts'
import { Form } from '../ui/form.tsx'
import { Note } from '../ui/note.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { ErrorAlert } from '../ui/states.tsx'

const ROLES = {
  ADMIN: 'Administrator with full access',
  MEMBER: 'Member with access to everything except settings and people',
}

export default function Account() {
  const { user, company } = useSession()
  return (
    <>
      <PageHeader title="Account" subtitle={`${user.name}, ${user.email}`} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ChangePassword />
        <Stack className="app-panel" p="lg" gap="sm">
          <Title order={2}>Company and role</Title>
          <Text>{company.name}</Text>
          <Note>{ROLES[user.role]}</Note>
        </Stack>
      </SimpleGrid>
      <Sessions />
    </>
  )
}

const NOTHING = { current: '', next: '', repeated: '' }

function ChangePassword() {
  const [passwords, setPasswords] = useState(NOTHING)
  const change = useMutation({
    mutationFn: ({ current, next }: typeof NOTHING) => call('PUT', 'account/password', { current, next }),
    onSuccess: () => {
      notifications.show({ message: 'Password changed. Sign in with your new password.' })
      showSignIn()
    },
  })
  const isDifferent = passwords.repeated !== '' && passwords.repeated !== passwords.next
  const { fields, failure } = errorsOf(change.error)
  const field = (name: keyof typeof NOTHING) => ({
    value: passwords[name],
    onChange: (password: string) => setPasswords((given) => ({ ...given, [name]: password })),
    error: fields[name],
  })
  return (
    <Form
      className="app-panel"
      onSubmit={() => passwords.next === passwords.repeated && change.mutate(passwords)}
    >
      <Stack p="lg" gap="sm">
        <Title order={2}>Password</Title>
        <ErrorAlert error={failure} />
        <PasswordField
          label="Current password"
          description={null}
          autoComplete="current-password"
          shown="current password"
          {...field('current')}
        />
        <PasswordField label="New password" shown="new password" {...field('next')} />
        <PasswordField
          label="Confirm new password"
          description={null}
          shown="repeated password"
          {...field('repeated')}
          error={isDifferent ? 'The passwords do not match.' : undefined}
        />
        <Button
          type="submit"
          loading={change.isPending}
          disabled={
            passwords.current === '' || passwords.next === '' || passwords.next !== passwords.repeated
          }
          w="fit-content"
        >
          Change password
        </Button>
        <Note>You will be signed out of every browser.</Note>
      </Stack>
    </Form>
  )
}
