/** Name, kind and address of a form, and how to put it on a website. */
import { Group, Select, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { proposeSlug } from '../../../src/core/forms/form-address.ts'
import type { FormPurpose } from '../../../src/core/enumerations.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { NewTabIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import type { FormState } from './use-form.ts'
import { PURPOSE_WORDS } from './words.ts'

const PURPOSES = (['QUOTE', 'BOOKING'] as const).map((value) => ({ value, label: PURPOSE_WORDS[value] }))

const PURPOSE_NOTES: Record<FormPurpose, string> = {
  QUOTE: 'Public. Each submission creates a contact and a draft quote.',
  BOOKING: 'For customers with a booking. Copy the link on the page of their quote.',
}

export function SettingsPanel({ form }: { form: FormState }) {
  const { draft, errors, set } = form
  const setPurpose = (value: string | null) => {
    const purpose = value as FormPurpose
    set({ purpose, ...(purpose === 'QUOTE' && draft.slug === null && { slug: proposeSlug(draft.name) }) })
  }
  return (
    <Panel title="Settings" p={{ base: 'md', sm: 'lg' }}>
      <TextInput
        label="Name"
        description="Customers see it as the title."
        value={draft.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={errors['name']}
        maxLength={200}
      />
      <Select
        label="Kind"
        description={PURPOSE_NOTES[draft.purpose]}
        data={PURPOSES}
        value={draft.purpose}
        onChange={setPurpose}
        allowDeselect={false}
      />
      {draft.purpose === 'QUOTE' ? <Address form={form} /> : null}
    </Panel>
  )
}

function Address({ form }: { form: FormState }) {
  const { draft, stored, errors, set } = form
  const originError = Object.entries(errors).find(([path]) => path.startsWith('allowedOrigins'))?.[1]
  const url = stored.slug === null ? null : `${stored.formsUrl}${stored.slug}`
  return (
    <>
      <TextInput
        label="Address"
        description={`${stored.formsUrl}${draft.slug ?? ''}`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.slug ?? ''}
        onChange={({ currentTarget }) => set({ slug: currentTarget.value || null })}
        error={errors['slug']}
        maxLength={80}
        autoComplete="off"
        spellCheck={false}
        classNames={{ description: 'app-wrap' }}
      />
      <Textarea
        label="Allowed sites"
        description="The sites that can show the form, one per line, such as https://example.com. Without an entry none can."
        value={draft.allowedOrigins.join('\n')}
        onChange={({ currentTarget }) =>
          set({ allowedOrigins: currentTarget.value === '' ? [] : currentTarget.value.split('\n') })
        }
        error={originError}
        autosize
        minRows={2}
        spellCheck={false}
      />
      {url === null || !stored.isPublished ? (
        <Note>The link and the line for your website appear here when the form is published.</Note>
      ) : (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            Line for your website
          </Text>
          <pre className="app-code">{embedLine(url)}</pre>
          <Group gap="sm">
            <CopyButton text={embedLine(url)} label="Copy line" />
            <CopyButton text={url} label="Copy link" />
            <a className="app-link form-open" href={url} target="_blank" rel="noreferrer">
              Open form <NewTabIcon />
            </a>
          </Group>
        </Stack>
      )}
    </>
  )
}

const embedLine = (url: string) => `<script src="${url}/embed.js"></script>`
