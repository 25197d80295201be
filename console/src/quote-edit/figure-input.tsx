/** A number field. While it is edited its text stays as typed; otherwise it shows separators of thousands. */
import { TextInput } from '@mantine/core'
import type { TextInputProps } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import type { FocusEvent } from 'react'

interface FigureInputProps extends Omit<TextInputProps, 'onChange' | 'onFocus' | 'ref'> {
  /** As typed, without separators of thousands unless the user typed some. */
  value: string
  /** The same number for reading. */
  shown: string
  onChange: (text: string) => void
}

export function FigureInput({ value, shown, onChange, onBlur, ...props }: FigureInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const isClicked = useRef(false)
  const [isEdited, setIsEdited] = useState(false)
  // After the text has changed to the typed one, which would move the caret to its end.
  useLayoutEffect(() => {
    if (isEdited) input.current?.select()
  }, [isEdited])
  return (
    <TextInput
      ref={input}
      inputMode="decimal"
      autoComplete="off"
      classNames={{ input: 'edit-figure' }}
      value={isEdited ? value : shown}
      onChange={(event) => onChange(event.currentTarget.value)}
      onFocus={() => setIsEdited(true)}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        setIsEdited(false)
        onBlur?.(event)
      }}
      // The click that focuses the field selects the number. The next one places the caret.
      onMouseDown={() => {
        isClicked.current = document.activeElement !== input.current
      }}
      onMouseUp={(event) => {
        if (isClicked.current) event.preventDefault()
        isClicked.current = false
      }}
      {...props}
    />
  )
}
