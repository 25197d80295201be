/** Chooses a record by searching for its name. */
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordListAnswer, StoredRecord } from '../../../src/console/records.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import { useGet } from '../use-get.ts'
import { recordName, viewOf } from './kinds.ts'

const DELAY_MS = 200

interface RecordSelectProps {
  path: RecordPath
  label: string
  value: string | null
  /** Of the chosen record, which need not be among those found. */
  name: string
  /** The record is absent if it is the choice that was there before. */
  onChange: (id: string | null, name: string, record: StoredRecord | undefined) => void
  error?: string | undefined
  description?: string
  /** Records that cannot be chosen. */
  without?: string
  placeholder?: string
}

export function RecordSelect({ path, value, name, onChange, without, ...props }: RecordSelectProps) {
  const [search, setSearch] = useState('')
  const [sent] = useDebouncedValue(search, DELAY_MS)
  const view = viewOf(path)
  const [chosen, setChosen] = useState(name)
  // The field shows the name of the choice, which is no search.
  const query = new URLSearchParams({ sort: 'name', ...(sent !== chosen && sent !== '' && { search: sent }) })
  const { data, error, isPlaceholderData } = useGet<RecordListAnswer>(
    ['records', path, 'choices', query.toString()],
    `${path}?${query.toString()}`,
    { placeholderData: keepPreviousData },
  )
  // Enter takes the first match, which must not be one of an earlier search.
  const isOld = search !== sent || isPlaceholderData
  const found = (isOld ? [] : (data?.records ?? []))
    .filter(({ id }) => id !== without)
    .map((record) => ({ value: record.id, label: recordName(view, record) }))
  const isListed = value === null || found.some((one) => one.value === value)
  const options = isListed ? found : [{ value: value, label: chosen || value }, ...found]
  return (
    <Select
      {...props}
      data={options}
      value={value}
      onChange={(id, option) => {
        setChosen(option?.label ?? '')
        const record = data?.records.find((one) => one.id === id)
        onChange(id, option?.label ?? '', record)
      }}
      searchable
      onSearchChange={setSearch}
      // The server has searched.
      filter={({ options: all }) => all}
      selectFirstOptionOnChange={!isOld}
      nothingFoundMessage={error !== null ? error.message : isOld ? 'Searching…' : `No ${view.plural} found`}
      placeholder={props.placeholder ?? 'Type to search'}
      allowDeselect={false}
    />
  )
}
