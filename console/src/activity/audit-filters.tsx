/** Filters of the audit log: person, kind and days. They are in the URL. */
import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ACTIVITY_KINDS, CUSTOMERS_PERSON, SYSTEM_PERSON } from '../../../src/core/change-log/activity.ts'
import type { ActivityPeopleAnswer } from '../../../src/console/activity.ts'
import { useAddressParams } from '../address-params.ts'
import { get } from '../call.ts'
import { startOfDay } from '../quotes/day-bounds.ts'
import { KIND_LABELS } from './words.ts'

const FILTERS = ['person', 'kind', 'from', 'to'] as const
type Filter = (typeof FILTERS)[number]

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d$/

/** The parameters of the call: days become instants in the browser's time zone. */
export function auditQuery(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of ['person', 'kind', 'after']) {
    const value = params.get(name)
    if (value !== null) query.set(name, value)
  }
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (DAY.test(from)) query.set('from', startOfDay(from, undefined))
  if (DAY.test(to)) query.set('before', startOfDay(nextDay(to), undefined))
  return query
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
}

export function AuditFilters() {
  const { params, change } = useAddressParams()
  const { data } = useQuery({
    queryKey: ['activity', 'people'],
    queryFn: () => get<ActivityPeopleAnswer>('activity/people'),
  })
  const set = (filter: Filter, value: string) =>
    change(
      (next) => {
        next.delete('after')
        if (value === '') next.delete(filter)
        else next.set(filter, value)
        return next
      },
      { replace: true },
    )
  const field = (filter: Filter) => ({
    value: params.get(filter) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => set(filter, event.currentTarget.value),
  })
  const isFiltered = FILTERS.some((filter) => params.has(filter))
  return (
    <form className="app-panel" onSubmit={(event) => event.preventDefault()} role="search">
      <SimpleGrid cols={{ base: 2, lg: 4 }} p="md" spacing="sm" verticalSpacing="sm">
        <NativeSelect label="Person" data={peopleOptions(data, params.get('person'))} {...field('person')} />
        <NativeSelect
          label="Kind"
          data={[
            { value: '', label: 'Any' },
            ...ACTIVITY_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
          ]}
          {...field('kind')}
        />
        <TextInput type="date" label="From" {...field('from')} />
        <TextInput type="date" label="To" {...field('to')} />
      </SimpleGrid>
      {isFiltered ? (
        <Button
          variant="default"
          size="xs"
          mx="md"
          mb="md"
          onClick={() => change(() => new URLSearchParams(), { replace: true })}
        >
          Clear filters
        </Button>
      ) : null}
    </form>
  )
}

/** A person who is no longer listed can still be the filter. */
function peopleOptions(people: ActivityPeopleAnswer | undefined, chosen: string | null) {
  const options = [
    { value: '', label: 'Anyone' },
    ...(people?.users ?? []).map(({ id, name }) => ({ value: id, label: name })),
    ...(people?.keys ?? []).map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
    { value: CUSTOMERS_PERSON, label: 'Customers' },
    { value: SYSTEM_PERSON, label: 'System' },
  ]
  const isKnown = chosen === null || options.some(({ value }) => value === chosen)
  return isKnown ? options : [...options, { value: chosen, label: chosen }]
}
