/** Asks for a link to set a new password. The answer is the same for every address. */
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { CallError, call } from '../call.ts'
import { ErrorAlert } from '../ui/states.tsx'

interface ForgotPasswordProps {
  /** As it was typed into the sign-in form. */
  email: string
  onBack: () => void
}

export function ForgotPassword({ email: typed, onBack }: ForgotPasswordProps) {
  const [email, setEmail] = useState(typed)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const send = useMutation({ mutationFn: () => call('POST', 'links/forgot', { email }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!send.isPending) send.mutate()
  }
  const fields = send.error instanceof CallError ? send.error.fields : {}
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {send.isSuccess ? (
          <Alert color="blue" role="status">
            If {email.trim()} belongs to a user, a link to set a new password is on its way. It works for 24
            hours. Check your spam folder if it does not arrive.
          </Alert>
        ) : (
          <>
            <Text size="sm">Enter your email. We send you a link to set a new password.</Text>
            {Object.keys(fields).length > 0 ? null : <ErrorAlert error={send.error} />}
            <TextInput
              label="Email"
              name="email"
              type="email"
              autoComplete="username"
              value={email}
              onChange={({ currentTarget: { value } }) => setEmail(value)}
              error={fields['email']}
              ref={first}
            />
            <Button type="submit" loading={send.isPending} fullWidth>
              Send link
            </Button>
          </>
        )}
        <Anchor component="button" type="button" size="sm" underline="always" onClick={onBack}>
          Back to sign in
        </Anchor>
      </Stack>
    </form>
  )
}
