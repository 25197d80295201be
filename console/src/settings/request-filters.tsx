/** Filters of the request log. */
import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import type { SettingsAnswer } from '../../../src/console/settings.ts'
import { useAddressParams } from '../address-params.ts'
import { FilterForm, filterField } from '../ui/filter-form.tsx'
import { useGet } from '../use-get.ts'

export const FILTERS = ['status', 'key', 'method', 'path', 'request'] as const

const STATUSES = [
  { value: '', label: 'Any' },
  { value: 'errors', label: 'Errors (4xx and 5xx)' },
  { value: '2xx', label: '2xx Success' },
  { value: '4xx', label: '4xx Client error' },
  { value: '5xx', label: '5xx Server error' },
]
const METHODS = [{ value: '', label: 'Any' }, 'GET', 'POST', 'HEAD']

export function RequestFilters() {
  const address = useAddressParams()
  const { params, set } = address
  const { data } = useGet<SettingsAnswer>(['settings'], 'settings')
  const keyId = params.get('key') ?? ''
  const keys = (data?.keys ?? []).map(({ id, name, prefix, revokedAt }) => ({
    value: id,
    label: `${name}${prefix === null ? '' : ` (${prefix}…)`}${revokedAt === null ? '' : ', revoked'}`,
  }))
  // A key that no longer exists can still be the filter.
  const known = keyId === '' || keys.some(({ value }) => value === keyId)
  const keyOptions = [
    { value: '', label: 'Any' },
    ...keys,
    ...(known ? [] : [{ value: keyId, label: keyId }]),
  ]
  const field = (filter: (typeof FILTERS)[number]) => filterField(filter, address, 'before')
  const typed = (filter: 'path' | 'request') => ({
    value: params.get(filter) ?? '',
    onChange: (value: string) => set(filter, value, { replace: true, cursor: 'before' }),
  })
  return (
    <FilterForm {...address} filters={FILTERS} cols={{ base: 2, sm: 3, lg: 5 }}>
      <NativeSelect label="Status" data={STATUSES} {...field('status')} />
      <NativeSelect label="API key" data={keyOptions} {...field('key')} />
      <NativeSelect label="Method" data={METHODS} {...field('method')} />
      <TypedFilter label="Path contains" {...typed('path')} />
      <TypedFilter className="request-log-last" label="Request ID" {...typed('request')} />
    </FilterForm>
  )
}

const TYPING_MS = 300

interface TypedFilterProps {
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
}

function TypedFilter({ label, value, onChange, className = '' }: TypedFilterProps) {
  const [text, setText] = useState(value)
  const [told, setTold] = useState(value)
  const [seen, setSeen] = useState(value)
  // Typed text stays until the filter changes elsewhere: cleared, or by navigation.
  if (value !== seen) {
    setSeen(value)
    if (value !== told) {
      setTold(value)
      setText(value)
    }
  }
  const tell = useDebouncedCallback((typed: string) => {
    setTold(typed)
    onChange(typed)
  }, TYPING_MS)
  return (
    <TextInput
      className={className}
      label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        tell(event.currentTarget.value.trim())
      }}
      maxLength={500}
      spellCheck={false}
      autoComplete="off"
    />
  )
}
