/** The sign-in form. The URL stays as it is, so the requested page opens afterwards. */
import {
  Alert,
  Anchor,
  Button,
  Center,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { CompanyChoice } from '../../../src/console/sign-in.ts'
import { CallError, beginSession, call } from '../call.ts'
import { ForgotPassword } from '../links/forgot-password.tsx'
import { endKeptNotice, useKeptNotice } from '../quote-edit/kept-edits.ts'
import { MarkIcon } from '../ui/icons.tsx'
import { ErrorAlert } from '../ui/states.tsx'

interface Credentials {
  email: string
  password: string
  companyId?: string
}

export function SignIn({ mailsResets }: { mailsResets: boolean }) {
  const [email, setEmail] = useState('')
  const [isForgotten, setForgotten] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Event Quoting Service'
  }, [])
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="center">
          <MarkIcon />
          <Text fw={650} size="lg">
            Event Quoting Service
          </Text>
        </Group>
        {isForgotten ? (
          <Stack className="app-panel" p="xl">
            <Title order={1} size="h2">
              Forgot password
            </Title>
            <ForgotPassword email={email} onBack={() => setForgotten(false)} />
          </Stack>
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
        <Text size="sm" c="dimmed" ta="center">
          Building an integration? See the{' '}
          <Anchor href="docs" underline="always">
            API reference
          </Anchor>
          .
        </Text>
      </Stack>
    </Center>
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate(credentials)
  }
  const set = (field: 'email' | 'password') => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setCredentials((given) => ({ ...given, [field]: value }))
  }
  const fields = signIn.error instanceof CallError ? signIn.error.fields : {}
  return (
    <form onSubmit={submit} className="app-panel" noValidate>
      <Stack p="xl">
        <Title order={1} size="h2">
          Sign in
        </Title>
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
          onChange={set('email')}
          error={fields['email']}
          ref={first}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          value={credentials.password}
          onChange={set('password')}
          error={fields['password']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
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
    </form>
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
    <Text size="sm" c="dimmed">
      Forgot your password? Ask an administrator of your company for a link to set a new one.
    </Text>
  )
}
