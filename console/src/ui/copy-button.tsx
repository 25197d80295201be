/** Copies a text to the clipboard and confirms it. */
import { Button } from '@mantine/core'
import type { Ref } from 'react'
import { useEffect, useState } from 'react'
import { CheckIcon, CopyIcon } from './icons.tsx'

const SHOWN_MS = 2_000

interface CopyButtonProps {
  text: string
  label: string
  ref?: Ref<HTMLButtonElement>
}

export function CopyButton({ text, label, ref }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  useEffect(() => {
    if (state === 'ready') return undefined
    const timer = setTimeout(() => setState('ready'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  return (
    <Button
      ref={ref}
      variant="default"
      size="xs"
      leftSection={state === 'copied' ? <CheckIcon /> : <CopyIcon />}
      onClick={() => void copy()}
      aria-live="polite"
    >
      {{ ready: label, copied: 'Copied', failed: 'Select the text to copy it' }[state]}
    </Button>
  )
}

/** The clipboard API needs TLS or localhost. Elsewhere the deprecated command still works. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (!isDone) throw new Error('the browser does not copy')
}
