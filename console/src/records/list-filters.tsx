/** Search, order and filters of a list of records. They are in the URL. */
import { Select } from '@mantine/core'
import type { CategoriesAnswer } from '../../../src/console/equipment.ts'
import type { Lookups } from '../../../src/console/quotes.ts'
import type { AddressParams } from '../address-params.ts'
import { SearchField } from '../ui/search-field.tsx'
import { useGet } from '../use-get.ts'
import { useChoiceSearch } from './choice-search.ts'
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

export function ListFilters({ view, params, set }: { view: KindView } & AddressParams) {
  const apply = (name: string, value: string | null, how?: { replace: boolean }) =>
    set(name, value, { ...how, cursor: 'after' })
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
  if (name === 'category') return <CategoryFilter value={value} onChange={onChange} />
  if (name === 'locationId') return <LocationFilter value={value} onChange={onChange} />
  const options = view.fields.find((field) => field.name === name)?.options ?? []
  return (
    <Select
      aria-label="By status"
      placeholder="Any status"
      data={options.map(([one, label]) => ({ value: one, label }))}
      value={value}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
    />
  )
}

function LocationFilter({ value, onChange }: Pick<FilterProps, 'value' | 'onChange'>) {
  const { data } = useGet<Lookups>(['lookups'], 'lookups', { staleTime: 60_000 })
  const { choices, field } = useChoiceSearch({
    path: 'locations',
    loaded: data?.locations,
    value,
    withArchived: true,
  })
  return (
    <Select
      {...field}
      aria-label="By location"
      placeholder="Any location"
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
    />
  )
}

function CategoryFilter({ value, onChange }: Pick<FilterProps, 'value' | 'onChange'>) {
  const { data } = useGet<CategoriesAnswer>(['records', 'equipment', 'categories'], 'equipment/categories')
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
