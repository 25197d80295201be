/** Search, order and filters of a list of records. They are in the URL. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CategoriesAnswer } from '../../../src/console/equipment.ts'
import type { Lookups } from '../../../src/console/quotes.ts'
import type { AddressParams } from '../address-params.ts'
import { get } from '../call.ts'
import { SearchField } from '../ui/search-field.tsx'
import type { KindView } from './kind-view.ts'

const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
]

const SHOWN = [
  { value: 'no', label: 'Current' },
  { value: 'yes', label: 'Archived' },
]

type Apply = (name: string, value: string | null, how?: { replace: boolean }) => void

export function ListFilters({ view, params, change }: { view: KindView } & AddressParams) {
  const apply: Apply = (name, value, how) =>
    change((next) => {
      next.delete('after')
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
      return next
    }, how)
  return (
    <search className="record-filters">
      <SearchField
        key={view.path}
        label={`Search ${view.plural}`}
        placeholder={view.searchHint}
        className="record-search"
        search={params.get('search') ?? ''}
        onChange={(search, how) => apply('search', search, how)}
      />
      <Select
        aria-label="Order"
        data={SORTS}
        value={params.get('sort') ?? 'newest'}
        onChange={(sort) => apply('sort', sort === 'newest' ? null : sort)}
        allowDeselect={false}
      />
      <Select
        aria-label="Current or archived"
        data={SHOWN}
        value={params.get('archived') ?? 'no'}
        onChange={(shown) => apply('archived', shown === 'no' ? null : shown)}
        allowDeselect={false}
      />
      {(view.filters ?? []).map((name) => (
        <Filter
          key={name}
          name={name}
          view={view}
          value={params.get(name)}
          onChange={(value) => apply(name, value)}
        />
      ))}
    </search>
  )
}

interface FilterProps {
  name: 'category' | 'locationId' | 'status'
  view: KindView
  value: string | null
  onChange: (value: string | null) => void
}

function Filter({ name, view, value, onChange }: FilterProps) {
  const lookups = useQuery({
    queryKey: ['lookups'],
    queryFn: () => get<Lookups>('lookups'),
    staleTime: 60_000,
    enabled: name === 'locationId',
  })
  if (name === 'category') return <CategoryFilter value={value} onChange={onChange} />
  const options = view.fields.find((field) => field.name === name)?.options ?? []
  const data =
    name === 'status'
      ? options.map(([one, label]) => ({ value: one, label }))
      : (lookups.data?.locations ?? []).map(({ id, name: label }) => ({ value: id, label }))
  const label = name === 'status' ? 'Any status' : 'Any location'
  return (
    <Select
      aria-label={label.replace('Any ', 'By ')}
      placeholder={label}
      data={data}
      value={value}
      onChange={onChange}
      clearable
      searchable={name === 'locationId'}
      clearButtonProps={{ 'aria-label': 'Clear' }}
    />
  )
}

function CategoryFilter({ value, onChange }: Pick<FilterProps, 'value' | 'onChange'>) {
  const { data } = useQuery({
    queryKey: ['records', 'equipment', 'categories'],
    queryFn: () => get<CategoriesAnswer>('equipment/categories'),
  })
  const categories = data?.categories ?? []
  return (
    <Select
      aria-label="By category"
      placeholder="Any category"
      data={value === null || categories.includes(value) ? categories : [value, ...categories]}
      value={value}
      onChange={onChange}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': 'Clear' }}
    />
  )
}
