/** Asks for a link to set a new password. The answer is the same for every address. */
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, errorsOf } from '../call.ts'
import { Form } from '../ui/form.tsx'
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
  const { fields, failure } = errorsOf(send.error)
  return (
    <Form onSubmit={() => !send.isPending && send.mutate()}>
      <Stack>
        {send.isSuccess ? (
          <Alert color="blue" role="status">
            If {email.trim()} belongs to a user, a link to set a new password is on its way. It works for 24
            hours. Check your spam folder if it does not arrive.
          </Alert>
        ) : (
          <>
            <Text size="sm">Enter your email. We send you a link to set a new password.</Text>
            <ErrorAlert error={failure} />
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
    </Form>
  )
}
