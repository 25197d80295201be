/** The user's account: change the password, see and end sessions. */
import { Button, PasswordInput, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { Sessions } from '../account/sessions.tsx'
import { CallError, call, showSignIn } from '../call.ts'
import { useSession } from '../session.ts'
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
          <Text c="dimmed" size="sm">
            {ROLES[user.role]}
          </Text>
        </Stack>
      </SimpleGrid>
      <div className="account-sessions">
        <Sessions />
      </div>
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
  const fields = change.error instanceof CallError ? change.error.fields : {}
  const set = (field: keyof typeof NOTHING) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setPasswords((given) => ({ ...given, [field]: value }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (passwords.next === passwords.repeated) change.mutate(passwords)
  }
  return (
    <form className="app-panel" onSubmit={submit} noValidate>
      <Stack p="lg" gap="sm">
        <Title order={2}>Password</Title>
        {Object.keys(fields).length > 0 ? null : <ErrorAlert error={change.error} />}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={passwords.current}
          onChange={set('current')}
          error={fields['current']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password' }}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters. Longer is stronger."
          autoComplete="new-password"
          value={passwords.next}
          onChange={set('next')}
          error={fields['next']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the new password' }}
        />
        <PasswordInput
          label="Confirm new password"
          autoComplete="new-password"
          value={passwords.repeated}
          onChange={set('repeated')}
          error={isDifferent ? 'The passwords do not match.' : undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the repeated password' }}
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
        <Text size="sm" c="dimmed">
          You will be signed out of every browser.
        </Text>
      </Stack>
    </form>
  )
}
