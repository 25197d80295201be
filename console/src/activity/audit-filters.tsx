/** Filters of the audit log: person, kind and days. They are in the URL. */
import { NativeSelect, TextInput } from '@mantine/core'
import { ACTIVITY_KINDS, CUSTOMERS_PERSON, SYSTEM_PERSON } from '../../../src/core/change-log/activity.ts'
import { addDays, isCalendarDay } from '../../../src/core/schedule/agenda.ts'
import type { ActivityPeopleAnswer } from '../../../src/console/activity.ts'
import { useAddressParams } from '../address-params.ts'
import { startOfDay } from '../quotes/day-bounds.ts'
import { FilterForm, filterField } from '../ui/filter-form.tsx'
import { useGet } from '../use-get.ts'
import { KIND_LABELS } from './words.ts'

const FILTERS = ['person', 'kind', 'from', 'to'] as const

/** The parameters of the call: days become instants in the browser's time zone. */
export function auditQuery(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of ['person', 'kind', 'after']) {
    const value = params.get(name)
    if (value !== null) query.set(name, value)
  }
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (isCalendarDay(from)) query.set('from', startOfDay(from, undefined))
  if (isCalendarDay(to)) query.set('before', startOfDay(addDays(to, 1), undefined))
  return query
}

export function AuditFilters() {
  const address = useAddressParams()
  const { data } = useGet<ActivityPeopleAnswer>(['activity', 'people'], 'activity/people')
  const field = (filter: (typeof FILTERS)[number]) => filterField(filter, address, 'after')
  return (
    <FilterForm {...address} filters={FILTERS} cols={{ base: 2, lg: 4 }}>
      <NativeSelect
        label="Person"
        data={peopleOptions(data, address.params.get('person'))}
        {...field('person')}
      />
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
    </FilterForm>
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
