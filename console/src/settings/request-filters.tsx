/** Filters of the request log. */
import { Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsAnswer } from '../../../src/console/settings.ts'
import { useAddressParams } from '../address-params.ts'
import { get } from '../call.ts'

export const FILTERS = ['status', 'key', 'method', 'path', 'request'] as const
type Filter = (typeof FILTERS)[number]

const STATUSES = [
  { value: '', label: 'Any' },
  { value: 'errors', label: 'Errors (4xx and 5xx)' },
  { value: '2xx', label: '2xx Success' },
  { value: '4xx', label: '4xx Client error' },
  { value: '5xx', label: '5xx Server error' },
]
const METHODS = [{ value: '', label: 'Any' }, 'GET', 'POST', 'HEAD']

export function RequestFilters() {
  const { params, change } = useAddressParams()
  const set = (filter: Filter, value: string) =>
    change(
      (next) => {
        next.delete('before')
        if (value === '') next.delete(filter)
        else next.set(filter, value)
        return next
      },
      { replace: true },
    )
  const { data } = useQuery({ queryKey: ['settings'], queryFn: () => get<SettingsAnswer>('settings') })
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
  const isFiltered = FILTERS.some((filter) => params.has(filter))
  return (
    <form className="app-panel" onSubmit={(event) => event.preventDefault()} role="search">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} p="md" spacing="sm" verticalSpacing="sm">
        <NativeSelect
          label="Status"
          data={STATUSES}
          value={params.get('status') ?? ''}
          onChange={(event) => set('status', event.currentTarget.value)}
        />
        <NativeSelect
          label="API key"
          data={keyOptions}
          value={keyId}
          onChange={(event) => set('key', event.currentTarget.value)}
        />
        <NativeSelect
          label="Method"
          data={METHODS}
          value={params.get('method') ?? ''}
          onChange={(event) => set('method', event.currentTarget.value)}
        />
        <TypedFilter
          label="Path contains"
          value={params.get('path') ?? ''}
          onChange={(value) => set('path', value)}
        />
        <TypedFilter
          className="request-log-last"
          label="Request ID"
          value={params.get('request') ?? ''}
          onChange={(value) => set('request', value)}
        />
      </SimpleGrid>
      {isFiltered ? (
        <Group px="md" pb="md">
          <Button
            variant="default"
            size="xs"
            onClick={() => change(() => new URLSearchParams(), { replace: true })}
          >
            Clear filters
          </Button>
        </Group>
      ) : null}
    </form>
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
