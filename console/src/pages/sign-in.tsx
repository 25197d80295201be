/** The sign-in form. The URL stays as it is, so the requested page opens afterwards. */
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CompanyChoice } from '../../../src/console/sign-in.ts'
import { beginSession, call, errorsOf } from '../call.ts'
import { ForgotPassword } from '../links/forgot-password.tsx'
import { LinkFrame } from '../links/link-page.tsx'
import { PasswordField } from '../links/password-field.tsx'
import { endKeptNotice, useKeptNotice } from '../quote-edit/kept-edits.ts'
import { Form } from '../ui/form.tsx'
import { Note } from '../ui/note.ts'
import { ErrorAlert } from '../ui/states.tsx'

interface Credentials {
  email: string
  password: string
  companyId?: string
}

export function SignIn({ mailsResets }: { mailsResets: boolean }) {
  const [email, setEmail] = useState('')
  const [isForgotten, setForgotten] = useState(false)
  return (
    <LinkFrame
      title={isForgotten ? 'Forgot password' : 'Sign in'}
      footer={
        <Note ta="center">
          Building an integration? See the{' '}
          <Anchor href="docs" underline="always">
            API reference
          </Anchor>
          .
        </Note>
      }
    >
      {isForgotten ? (
        <ForgotPassword email={email} onBack={() => setForgotten(false)} />
      ) : (
        <SignInForm
          email={email}
          mailsResets={mailsResets}
          onForgotten={(entered) => {
            setEmail(entered)
            setForgotten(true)
          }}
        />
      )}
    </LinkFrame>
  )
}

interface SignInFormProps {
  /** Entered before. */
  email: string
  mailsResets: boolean
  /** With the email address that was entered, if any. */
  onForgotten: (email: string) => void
}

function SignInForm({ email, mailsResets, onForgotten }: SignInFormProps) {
  const [credentials, setCredentials] = useState<Credentials>({ email, password: '' })
  const signIn = useSignIn()
  const first = useRef<HTMLInputElement>(null)
  const isKept = useKeptNotice()
  useEffect(() => first.current?.focus(), [])
  const set = (field: 'email' | 'password', value: string) =>
    setCredentials((given) => ({ ...given, [field]: value }))
  const { fields } = errorsOf(signIn.error)
  return (
    <Form onSubmit={() => signIn.mutate(credentials)}>
      <Stack>
        {isKept ? (
          <Alert color="blue" role="status">
            Your session has ended. Sign in to continue. Your unsaved changes are kept.
          </Alert>
        ) : null}
        <ErrorAlert error={signIn.error} />
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          value={credentials.email}
          onChange={(event) => set('email', event.currentTarget.value)}
          error={fields['email']}
          ref={first}
        />
        <PasswordField
          name="password"
          description={null}
          autoComplete="current-password"
          value={credentials.password}
          onChange={(password) => set('password', password)}
          error={fields['password']}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
        <Forgotten mailsResets={mailsResets} onForgotten={() => onForgotten(credentials.email)} />
        {signIn.data == null ? null : (
          <Companies
            {...signIn.data}
            onChoose={(companyId) => signIn.mutate({ ...credentials, companyId })}
          />
        )}
      </Stack>
    </Form>
  )
}

function useSignIn() {
  return useMutation({
    mutationFn: (given: Credentials) => call<CompanyChoice | null>('POST', 'session', given),
    // Several companies: one has to be chosen first.
    onSuccess: async (choice) => {
      if (choice !== null) return
      await beginSession()
      endKeptNotice()
    },
  })
}

function Companies({ companies, onChoose }: CompanyChoice & { onChoose: (companyId: string) => void }) {
  return (
    <Stack gap="xs" role="group" aria-label="Choose a company">
      <Text size="sm">You belong to several companies. Choose one.</Text>
      {companies.map(({ id, name }) => (
        <Button key={id} variant="default" onClick={() => onChoose(id)}>
          {name}
        </Button>
      ))}
    </Stack>
  )
}

function Forgotten({ mailsResets, onForgotten }: { mailsResets: boolean; onForgotten: () => void }) {
  return mailsResets ? (
    <Anchor component="button" type="button" size="sm" underline="always" onClick={onForgotten}>
      Forgot your password?
    </Anchor>
  ) : (
    <Note>Forgot your password? Ask an administrator of your company for a link to set a new one.</Note>
  )
}
