/** Finds a contact by name, email address or phone number while the user types. */
import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ContactChoicesAnswer } from '../../../src/console/quote-new.ts'
import type { ContactChoice } from '../../../src/core/quotes/quote-choices.ts'
import { useGet } from '../use-get.ts'

/** Typing takes less than this between two characters. */
const PAUSE_MS = 150
const NEW = 'new contact'

interface ContactSelectProps {
  /** The chosen contact. */
  contact: ContactChoice | null
  onChoose: (contact: ContactChoice) => void
  /** Offers to create a contact from the text that was searched. */
  onCreate?: (text: string) => void
  error?: string | undefined
  isFocused?: boolean
}

export const contactName = ({ name, email, phone }: ContactChoice): string =>
  [name, email, phone].find((text) => text !== null && text.trim() !== '') ?? 'Unnamed contact'

export function ContactSelect({ contact, onChoose, onCreate, error, isFocused = false }: ContactSelectProps) {
  const [search, setSearch] = useState(contact === null ? '' : contactName(contact))
  const [isSearched, setIsSearched] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) input.current?.focus()
  }, [isFocused])
  const text = isSearched ? search.trim() : ''
  const [wanted] = useDebouncedValue(text, PAUSE_MS)
  const found = useGet<ContactChoicesAnswer>(
    ['contact-choices', wanted],
    `contact-choices?${new URLSearchParams({ search: wanted })}`,
    { placeholderData: keepPreviousData, enabled: isSearched },
  )
  // Enter takes the first match, which must not be one of an earlier search.
  const isOld = text !== wanted || found.isPlaceholderData
  const contacts = isOld ? [] : (found.data?.contacts ?? [])
  const all =
    contact === null || contacts.some(({ id }) => id === contact.id) ? contacts : [contact, ...contacts]
  const create =
    onCreate === undefined || isOld
      ? []
      : [{ value: NEW, label: text === '' ? 'New contact' : `New contact “${text}”` }]
  const byId = new Map(all.map((one) => [one.id, one]))
  return (
    <Select
      label="Contact"
      placeholder="Search by name, email or phone"
      data={[...all.map((one) => ({ value: one.id, label: contactName(one) })), ...create]}
      value={contact?.id ?? null}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      onInput={() => setIsSearched(true)}
      onDropdownOpen={() => setIsSearched(true)}
      filter={({ options }) => options}
      selectFirstOptionOnChange={!isOld}
      allowDeselect={false}
      error={error ?? (found.error === null ? undefined : found.error.message)}
      nothingFoundMessage={isOld || found.isFetching ? 'Searching…' : 'No contacts found'}
      ref={input}
      openOnFocus={false}
      maxDropdownHeight={320}
      renderOption={({ option }) => <ContactOption contact={byId.get(option.value)} label={option.label} />}
      onChange={(value) => {
        const chosen = byId.get(value ?? '')
        setIsSearched(false)
        if (chosen !== undefined) {
          setSearch(contactName(chosen))
          onChoose(chosen)
        } else if (value === NEW) onCreate?.(text)
      }}
    />
  )
}

function ContactOption({ contact, label }: { contact: ContactChoice | undefined; label: string }) {
  const rest = [contact?.email, contact?.phone].filter(
    (text) => text != null && text !== '' && text !== label,
  )
  return (
    <div className="app-wrap">
      <Text size="sm">{label}</Text>
      {rest.length === 0 ? null : (
        <Text size="xs" c="dimmed">
          {rest.join(' · ')}
        </Text>
      )}
    </div>
  )
}
