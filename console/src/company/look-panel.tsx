/** Logo and accent color, with a preview of both. */
import { Button, ColorInput, Group, Input, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { colorProblem } from '../../../src/core/accent-color.ts'
import { FileChoice } from '../ui/file-choice.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import type { FormProps } from './fields.tsx'
import { LABELS } from './profile.ts'

const LOGO_MAX_BYTES = 512 * 1024
const TYPES = 'image/png,image/jpeg,image/svg+xml'
/** Readable on white, and different from each other. */
const SWATCHES = ['#0b6e69', '#1f6f5c', '#1c5196', '#4b3aa3', '#8a2c7a', '#9b2226', '#7a4b05', '#303a44']
const DEFAULT_COLOR = '#0b6e69'

export function LookPanel({ form, isReadOnly }: FormProps) {
  return (
    <Panel title="Look" note="Used on the pages that your customers see.">
      <LogoField form={form} isReadOnly={isReadOnly} />
      <ColorInput
        label={LABELS.accentColor}
        description="White text is written on it, so it must be dark enough."
        placeholder={DEFAULT_COLOR}
        value={form.draft.accentColor ?? ''}
        onChange={(color) => form.set('accentColor', color || null)}
        error={form.errors['accentColor']}
        readOnly={isReadOnly}
        swatches={SWATCHES}
        swatchesPerRow={8}
        withEyeDropper={false}
        autoComplete="off"
      />
      <Preview form={form} />
    </Panel>
  )
}

/** The stored logo, or the one that was just chosen. */
function sourceOf({ draft: { logo }, stored: { logoPath } }: FormProps['form']): string | null {
  if (logo === null || logo.startsWith('data:')) return logo
  return logoPath === null ? null : new URL(logoPath, document.baseURI).href
}

function LogoField({ form, isReadOnly }: FormProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (file: File) => {
    const isTooLarge = file.size > LOGO_MAX_BYTES
    setProblem(isTooLarge ? 'The file is too large. Use at most 512 KiB.' : null)
    if (!isTooLarge) form.set('logo', await readImage(file))
  }
  const remove = () => {
    setProblem(null)
    form.set('logo', null)
  }
  const error = problem ?? form.errors['logo']
  const source = sourceOf(form)
  return (
    <Input.Wrapper
      labelElement="div"
      label={LABELS.logo}
      description="PNG, JPEG or SVG, up to 512 KiB."
      error={error}
    >
      <Group gap="md" mt={6}>
        <div className="company-logo">
          {source === null ? <Note>No logo</Note> : <img src={source} alt="Logo" />}
        </div>
        {isReadOnly ? null : (
          <Group gap="xs">
            <FileChoice
              onChoose={(file) => void choose(file)}
              accept={TYPES}
              inputProps={{ 'aria-label': 'Logo file' }}
            >
              {(props) => (
                <Button {...props} variant="default">
                  {source === null ? 'Choose logo' : 'Replace logo'}
                </Button>
              )}
            </FileChoice>
            {source === null ? null : (
              <Button variant="subtle" color="gray" onClick={remove}>
                Remove logo
              </Button>
            )}
          </Group>
        )}
      </Group>
    </Input.Wrapper>
  )
}

/** The server recognizes the type by the content. The preview needs one at once. */
async function readImage(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return `data:${file.type.startsWith('image/') ? file.type : 'image/png'};base64,${btoa(text)}`
}

/** How a customer's page begins. */
function Preview({ form }: Pick<FormProps, 'form'>) {
  const { accentColor, name, quotePrefix } = form.draft
  const isUsable = accentColor !== null && colorProblem(accentColor) === null
  const color = isUsable ? accentColor : DEFAULT_COLOR
  const source = sourceOf(form)
  return (
    <div className="company-preview" role="img" aria-label="Preview of a customer's page">
      <div className="company-preview-head" style={{ borderColor: color }}>
        {source === null ? null : <img src={source} alt="" />}
        <Stack gap={0} miw={0}>
          <Text fw={650} truncate>
            {name}
          </Text>
          <Text size="sm" style={{ color }}>
            Quote {quotePrefix}1042
          </Text>
        </Stack>
      </div>
      <span className="company-preview-button" style={{ background: color }}>
        Accept quote
      </span>
    </div>
  )
}
