/** A text to copy, whole and with a button. */
import { Group, Stack, Text } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'

interface CopyBlockProps {
  title: string
  text: string
  /** The label of the button. */
  label: string
  /** The button gets the focus, because the form before it is gone. */
  isFocused?: boolean
}

export function CopyBlock({ title, text, label, isFocused = false }: CopyBlockProps) {
  const id = useId()
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isFocused) copy.current?.focus()
  }, [isFocused])
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={550} id={id}>
          {title}
        </Text>
        <CopyButton text={text} label={label} ref={copy} />
      </Group>
      <pre className="app-code" aria-labelledby={id}>
        {text}
      </pre>
    </Stack>
  )
}
