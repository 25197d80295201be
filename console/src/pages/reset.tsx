/** `/reset/<token>`: a user sets a new password. */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { OpenedLink } from '../../../src/console/links.ts'
import { LinkPage } from '../links/link-page.tsx'
import { PasswordField } from '../links/password-field.tsx'
import { useLinkForm } from '../links/use-link-form.ts'
import { Form } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'

const HELP = 'Sign in with your new password, or ask an administrator of your company for a new link.'

export default function Reset() {
  return (
    <LinkPage kind="reset" title="Set a new password" help={HELP}>
      {(token, link) => <ResetForm token={token} link={link} />}
    </LinkPage>
  )
}

function ResetForm({ token, link }: { token: string; link: OpenedLink }) {
  const { form, send, isSending, fields, failure } = useLinkForm('reset')
  const [password, setPassword] = useState('')
  const submit = () => send({ token, password })
  return (
    <Form ref={form} onSubmit={submit}>
      <Stack>
        <Text size="sm" className="app-wrap">
          For {link.email} at <strong>{link.companyName}</strong>. You will be signed out of every other
          browser.
        </Text>
        <ErrorAlert error={failure} />
        <input type="hidden" autoComplete="username" value={link.email ?? ''} />
        <PasswordField
          label="New password"
          value={password}
          onChange={setPassword}
          error={fields['password']}
        />
        <Button type="submit" loading={isSending} fullWidth>
          Set password
        </Button>
      </Stack>
    </Form>
  )
}
