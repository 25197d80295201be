/** The search of a list. Searches shortly after the last key. A search replaces the previous one in the history. */
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { SearchIcon } from './icons.tsx'

interface SearchFieldProps {
  label: string
  placeholder: string
  className: string
  /** As the URL has it. */
  search: string
  onChange: (search: string, how: { replace: boolean }) => void
}

const DELAY_MS = 300

export function SearchField({ label, placeholder, className, search, onChange }: SearchFieldProps) {
  const [text, setText] = useState(search)
  const sent = useRef(search)
  // Follows a change of the URL, such as Back.
  useEffect(() => {
    if (search === sent.current) return
    sent.current = search
    setText(search)
  }, [search])
  const send = useDebouncedCallback((value: string) => {
    const before = sent.current
    if (value === before) return
    sent.current = value
    onChange(value, { replace: before !== '' })
  }, DELAY_MS)
  return (
    <TextInput
      className={className}
      type="search"
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        send(value.trim())
      }}
      leftSection={<SearchIcon />}
      placeholder={placeholder}
      aria-label={label}
      maxLength={200}
    />
  )
}
