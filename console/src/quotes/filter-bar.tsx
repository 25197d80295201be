/** The filters of the table: state, search, and the filters of the API. */
import { Button, Collapse, Group, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { QUOTE_STATES } from '../../../src/core/quotes/quote-state.ts'
import type { QuoteState } from '../../../src/core/quotes/quote-state.ts'
import type { Lookups } from '../../../src/console/quotes.ts'
import { useChoiceSearch } from '../records/choice-search.ts'
import type { ChoiceSearch } from '../records/choice-search.ts'
import { SearchField } from '../ui/search-field.tsx'
import { countMoreFilters, isFilterDay, isFiltered } from './filters.ts'
import type { Filters } from './filters.ts'
import './quotes.css'
import { STATE_WORDS } from './words.ts'

interface FilterBarProps {
  filters: Filters
  locations: ChoiceSearch<Lookups['locations'][number]>
  eventTypes: Lookups['eventTypes'] | undefined
  onChange: (changes: Partial<Filters>, how?: { replace: boolean }) => void
  /** The customer's name, if the quotes are filtered by customer. */
  leadName: string | null
}

const STATES = [
  { value: 'all', label: 'All' },
  ...QUOTE_STATES.map((state) => ({ value: state, label: STATE_WORDS[state] })),
]

export function FilterBar(props: FilterBarProps) {
  const { filters, onChange } = props
  const count = countMoreFilters(filters)
  const [isOpen, setIsOpen] = useState(count > 0)
  return (
    <search className="quote-filters">
      <Group gap="sm" align="center">
        <SearchField
          label="Search by customer or quote number"
          placeholder="Customer or quote number"
          className="quote-search"
          search={filters.search}
          onChange={(search, how) => onChange({ search }, how)}
        />
        <SegmentedControl
          className="quote-states"
          classNames={{ label: 'quote-state-choice' }}
          data={STATES}
          value={filters.state ?? 'all'}
          onChange={(value) => onChange({ state: value === 'all' ? null : (value as QuoteState) })}
          aria-label="Status"
        />
        <Button
          variant="default"
          onClick={() => setIsOpen((open) => !open)}
          aria-expanded={isOpen}
          aria-controls="more-filters"
        >
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
        {isFiltered(filters) ? (
          <Link className="app-link quote-clear" to="/quotes">
            Clear filters
          </Link>
        ) : null}
      </Group>
      <Collapse expanded={isOpen} id="more-filters">
        <MoreFilters {...props} />
      </Collapse>
    </search>
  )
}

const optionsOf = (rows: readonly { id: string; name: string }[]) =>
  rows.map(({ id, name }) => ({ value: id, label: name }))

function MoreFilters({ filters, locations, eventTypes, onChange, leadName }: FilterBarProps) {
  const types = useChoiceSearch({
    path: 'event-types',
    loaded: eventTypes,
    value: filters.eventTypeId,
    withArchived: true,
  })
  return (
    <div className="quote-more-filters">
      <Select
        {...locations.field}
        label="Location"
        placeholder="Any"
        data={optionsOf(locations.choices)}
        value={filters.locationId}
        onChange={(locationId) => onChange({ locationId })}
        clearable
      />
      <Select
        {...types.field}
        label="Event type"
        placeholder="Any"
        data={optionsOf(types.choices)}
        value={filters.eventTypeId}
        onChange={(eventTypeId) => onChange({ eventTypeId })}
        clearable
      />
      <DayRange
        name="Day"
        from={filters.serviceFrom}
        to={filters.serviceTo}
        onFrom={(serviceFrom) => onChange({ serviceFrom })}
        onTo={(serviceTo) => onChange({ serviceTo })}
      />
      <DayRange
        name="Created"
        from={filters.createdFrom}
        to={filters.createdTo}
        onFrom={(createdFrom) => onChange({ createdFrom })}
        onTo={(createdTo) => onChange({ createdTo })}
      />
      {filters.leadId === null ? null : (
        <Button variant="light" onClick={() => onChange({ leadId: null })} className="quote-of-lead">
          Only {leadName === null || leadName === '' ? 'one customer' : leadName} · Show all customers
        </Button>
      )}
    </div>
  )
}

interface DayRangeProps {
  name: string
  from: string | null
  to: string | null
  onFrom: (day: string | null) => void
  onTo: (day: string | null) => void
}

function DayRange({ name, from, to, onFrom, onTo }: DayRangeProps) {
  return (
    <>
      <DayField label={`${name} from`} day={from} onChange={onFrom} />
      <DayField label={`${name} to`} day={to} onChange={onTo} />
    </>
  )
}

/** Incomplete input stays in the field. */
function DayField({
  label,
  day,
  onChange,
}: {
  label: string
  day: string | null
  onChange: (day: string | null) => void
}) {
  const [text, setText] = useState(day ?? '')
  const [shownDay, setShownDay] = useState(day)
  if (day !== shownDay) {
    setShownDay(day)
    setText(day ?? '')
  }
  return (
    <TextInput
      type="date"
      label={label}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        if (value === '' || isFilterDay(value)) onChange(value === '' ? null : value)
      }}
    />
  )
}
