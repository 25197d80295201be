/** The event of a new quote: what, how many guests, where, and in which currency. */
import { Select, TextInput } from '@mantine/core'
import type { Choice, LocationChoice } from '../../../src/core/quotes/quote-choices.ts'
import { currencies, withValue } from '../company/choices.ts'
import type { ChoiceSearch } from '../records/choice-search.ts'
import { withLocation } from './form.ts'
import type { FormErrors, QuoteForm } from './form.ts'

interface EventFieldsProps {
  form: QuoteForm
  errors: FormErrors
  change: (fields: Partial<QuoteForm>) => void
  locations: ChoiceSearch<LocationChoice>
  eventTypes: ChoiceSearch<Choice>
}

export function EventFields({ form, errors, change, locations, eventTypes }: EventFieldsProps) {
  return (
    <>
      <Select
        {...eventTypes.field}
        label="Event type"
        placeholder="None"
        data={optionsOf(eventTypes.choices)}
        value={form.eventTypeId}
        onChange={(id) => change({ eventTypeId: id })}
        clearable
        selectFirstOptionOnChange={!eventTypes.isSearching}
      />
      <TextInput
        label="Guests"
        inputMode="numeric"
        autoComplete="off"
        value={form.guestCount}
        error={errors['guestCount']}
        onChange={(event) => change({ guestCount: event.currentTarget.value })}
      />
      <Select
        {...locations.field}
        label="Location"
        placeholder="Choose a location"
        data={optionsOf(locations.choices)}
        value={form.locationId}
        error={errors['location']}
        allowDeselect={false}
        selectFirstOptionOnChange={!locations.isSearching}
        onChange={(id) => {
          const chosen = locations.choices.find((one) => one.id === id)
          if (chosen !== undefined) change(withLocation(form, chosen))
        }}
      />
      <TextInput
        label="Event address"
        autoComplete="off"
        value={form.eventAddress}
        error={errors['eventAddress']}
        onChange={(event) => change({ eventAddress: event.currentTarget.value, isAddressTyped: true })}
      />
      <Select
        label="Currency"
        data={withValue(currencies(), form.currency)}
        value={form.currency}
        allowDeselect={false}
        searchable
        selectFirstOptionOnChange
        nothingFoundMessage="Nothing found"
        onChange={(currency) => change({ currency: currency ?? form.currency })}
      />
    </>
  )
}

const optionsOf = (choices: readonly Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }))
