/** `/invite/<token>`: a person who was invited sets a name and a password. */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OpenedLink } from '../../../src/console/links.ts'
import { LinkPage } from '../links/link-page.tsx'
import { PasswordField } from '../links/password-field.tsx'
import { useLinkForm } from '../links/use-link-form.ts'
import { Form } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'

const HELP =
  'If you have joined already, sign in. If not, ask an administrator of your company for a new invitation.'

export default function Invite() {
  return (
    <LinkPage kind="invite" title="Join your company" help={HELP}>
      {(token, link) => <JoinForm token={token} link={link} />}
    </LinkPage>
  )
}

function JoinForm({ token, link }: { token: string; link: OpenedLink }) {
  const { form, send, isSending, fields, failure } = useLinkForm('invite')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const submit = () => send({ token, name, password })
  return (
    <Form ref={form} onSubmit={submit}>
      <Stack>
        <Text size="sm" className="app-wrap">
          You are invited to <strong>{link.companyName}</strong>. You will sign in as {link.email}.
        </Text>
        <ErrorAlert error={failure} />
        {/* For password managers, which store it with the password. */}
        <input type="hidden" autoComplete="username" value={link.email ?? ''} />
        <TextInput
          label="Your name"
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fields['name']}
        />
        <PasswordField value={password} onChange={setPassword} error={fields['password']} />
        <Button type="submit" loading={isSending} fullWidth>
          Join
        </Button>
      </Stack>
    </Form>
  )
}
