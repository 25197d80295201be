/** `/setup/<token>`: creates the first company and its administrator. */
import { Button, Select, SimpleGrid, Stack, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { countries, currencies, timeZones, withValue } from '../company/choices.ts'
import { currencyOf, guessCountry, guessTimeZone } from '../company/guess.ts'
import { LinkPage } from '../links/link-page.tsx'
import { PasswordField } from '../links/password-field.tsx'
import { useLinkForm } from '../links/use-link-form.ts'
import { Form } from '../ui/form.tsx'
import { Note } from '../ui/note.ts'
import { ErrorAlert } from '../ui/states.tsx'

const HELP = (
  <>
    If your company is already set up, sign in. If not, restart the server: it prints a new setup link each
    time it starts.
  </>
)

export default function Setup() {
  return (
    <LinkPage kind="setup" title="Set up your company" width={560} help={HELP}>
      {(token) => <SetupForm token={token} />}
    </LinkPage>
  )
}

function SetupForm({ token }: { token: string }) {
  const { form, send, isSending, fields, failure } = useLinkForm('setup')
  const [company, setCompany] = useState(() => {
    const country = guessCountry(navigator.languages)
    const currency = country === null ? null : currencyOf(country)
    return { name: '', country, currency, timeZone: guessTimeZone() }
  })
  const [user, setUser] = useState({ name: '', email: '', password: '' })
  const submit = () => send({ token, company: { ...company, locale: navigator.language }, user })
  const changeUser = (name: 'name' | 'email') => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setUser((before) => ({ ...before, [name]: value }))
  }
  const choose = (name: 'country' | 'currency' | 'timeZone') => (value: string | null) =>
    setCompany((before) => {
      // The currency follows the country, as long as it is the usual one.
      const isUsual = before.currency === null || before.currency === currencyOf(before.country ?? '')
      const currency =
        name === 'country' && isUsual ? (currencyOf(value ?? '') ?? before.currency) : before.currency
      return { ...before, currency, [name]: value }
    })
  const select = { searchable: true, nothingFoundMessage: 'Nothing found', allowDeselect: false }
  return (
    <Form ref={form} onSubmit={submit}>
      <Stack gap="lg">
        <Note>Two minutes, then you can write your first quote. Everything can be changed later.</Note>
        <ErrorAlert error={failure} />
        <Stack gap="sm">
          <Title order={2} size="h3">
            Company
          </Title>
          <TextInput
            label="Company name"
            autoComplete="organization"
            value={company.name}
            onChange={({ currentTarget: { value } }) => setCompany((before) => ({ ...before, name: value }))}
            error={fields['company.name']}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Select
              label="Country"
              data={countries()}
              value={company.country}
              onChange={choose('country')}
              error={fields['company.country']}
              {...select}
            />
            <Select
              label="Currency"
              data={currencies()}
              value={company.currency}
              onChange={choose('currency')}
              error={fields['company.currency']}
              {...select}
            />
          </SimpleGrid>
          <Select
            label="Time zone"
            data={withValue(timeZones(), company.timeZone)}
            value={company.timeZone}
            onChange={choose('timeZone')}
            error={fields['company.timeZone']}
            {...select}
          />
        </Stack>
        <Stack gap="sm">
          <Title order={2} size="h3">
            You
          </Title>
          <TextInput
            label="Your name"
            autoComplete="name"
            value={user.name}
            onChange={changeUser('name')}
            error={fields['user.name']}
          />
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            value={user.email}
            onChange={changeUser('email')}
            error={fields['user.email']}
          />
          <PasswordField
            value={user.password}
            onChange={(password) => setUser((before) => ({ ...before, password }))}
            error={fields['user.password']}
          />
        </Stack>
        <Button type="submit" loading={isSending} fullWidth>
          Create company
        </Button>
      </Stack>
    </Form>
  )
}
