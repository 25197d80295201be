/** A new quote: who it is for, where and when. Saving leads into the editor. */
import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { NewQuoteAnswer } from '../../../src/console/quote-new.ts'
import type { ContactChoice, QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import { call, get } from '../call.ts'
import { Bone, Loading, countTo } from '../loading.tsx'
import '../quote-edit/quote-edit.css'
import { useAskedContact } from '../quote-new/asked-contact.ts'
import { findBegun, forgetBegun, keepBegun } from '../quote-new/begun-form.ts'
import { BegunNote } from '../quote-new/begun-note.tsx'
import { ContactFields } from '../quote-new/contact-fields.tsx'
import { DaysFields } from '../quote-new/days-fields.tsx'
import { emptyForm, readForm, withLocation } from '../quote-new/form.ts'
import type { FormErrors, QuoteForm } from '../quote-new/form.ts'
import '../quote-new/quote-new.css'
import { useChoiceSearch } from '../records/choice-search.ts'
import { useSession } from '../session.ts'
import { BackLink } from '../ui/back-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorAlert, ErrorState } from '../ui/states.tsx'

export default function QuoteNew() {
  const { company, user } = useSession()
  const asked = useAskedContact()
  const { data, error, refetch } = useQuery({
    queryKey: ['quote-choices'],
    queryFn: () => get<QuoteChoices>('quote-choices'),
  })
  const failure = asked.error ?? (data === undefined ? error : null)
  return (
    <>
      <PageHeader
        title="New quote"
        subtitle="Next, you add lines and prices."
        back={<BackLink to="/quotes">Quotes</BackLink>}
      />
      {failure !== null ? (
        <ErrorState
          error={failure}
          onRetry={() => void (asked.error === null ? refetch() : asked.refetch())}
        />
      ) : data === undefined || asked.isLoading ? (
        <FormBones />
      ) : data.locations.length === 0 ? (
        <NoLocation />
      ) : (
        <>
          {asked.problem === null ? null : (
            <Alert color="yellow" role="status" p="sm" mb="md" className="new-quote">
              {asked.problem}
            </Alert>
          )}
          <BegunOrEmpty
            key={asked.contact?.id ?? ''}
            owner={`${company.id} ${user.id}`}
            choices={data}
            contact={asked.contact}
          />
        </>
      )}
    </>
  )
}

function FormBones() {
  return (
    <Loading label="Loading the form">
      <Stack className="app-panel new-quote" p={{ base: 'md', sm: 'lg' }}>
        {countTo(5).map((row) => (
          <Bone key={row} height={58} />
        ))}
      </Stack>
    </Loading>
  )
}

function NoLocation() {
  return (
    <div className="app-panel">
      <EmptyState
        title="Add a location first"
        action={
          <Group justify="center" mt="xs">
            <Button component={Link} to="/locations/new">
              Add a location
            </Button>
            <Button component={Link} to="/quotes" variant="default">
              Back to quotes
            </Button>
          </Group>
        }
      >
        A quote needs a location, which decides the time zone of its days.
      </EmptyState>
    </div>
  )
}

interface BegunOrEmptyProps {
  owner: string
  choices: QuoteChoices
  /** Chosen at first. */
  contact: ContactChoice | null
}

function BegunOrEmpty({ owner, choices, contact }: BegunOrEmptyProps) {
  const [blank] = useState(() => emptyForm(choices.locations, contact))
  const [begun, setBegun] = useState(() => findBegun(owner, blank))
  const startOver = () => {
    if (begun !== null) forgetBegun(begun)
    setBegun(null)
  }
  const initial = begun ?? blank
  return (
    <>
      {begun === null ? null : <BegunNote onStartOver={startOver} />}
      {/* A new form has the focus in its first field. */}
      <NewQuoteForm key={initial.id} owner={owner} choices={choices} initial={initial} />
    </>
  )
}

interface NewQuoteFormProps {
  owner: string
  choices: QuoteChoices
  initial: QuoteForm
}

function NewQuoteForm({ owner, choices, initial }: NewQuoteFormProps) {
  const [form, setForm] = useState(initial)
  const { locationId, eventTypeId } = form
  const locations = useChoiceSearch({ path: 'locations', loaded: choices.locations, value: locationId })
  const eventTypes = useChoiceSearch({ path: 'event-types', loaded: choices.eventTypes, value: eventTypeId })
  const [errors, setErrors] = useState<FormErrors>({})
  const update = (next: QuoteForm) => {
    keepBegun(owner, next)
    setForm(next)
  }
  const change = (fields: Partial<QuoteForm>) => update({ ...form, ...fields })
  const { create, isDone } = useCreate(form)
  const location = locations.choices.find(({ id }) => id === locationId)
  // The times of the days are in the zone of the location.
  const isBusy = create.isPending || isDone || locations.isPending
  const submit = () => {
    const read = readForm(form, location?.timeZone ?? 'UTC')
    setErrors('errors' in read ? read.errors : {})
    if ('errors' in read) focusFirstError()
    else if (!isBusy) create.mutate(read.body)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack className="app-panel new-quote" p={{ base: 'md', sm: 'lg' }}>
        <div className="new-grid">
          <ContactFields form={form} errors={errors} change={change} />
          <Select
            {...eventTypes.field}
            label="Event type"
            placeholder="None"
            data={optionsOf(eventTypes.choices)}
            value={eventTypeId}
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
            value={locationId}
            error={errors['location']}
            allowDeselect={false}
            selectFirstOptionOnChange={!locations.isSearching}
            onChange={(id) => {
              const chosen = locations.choices.find((one) => one.id === id)
              if (chosen !== undefined) update(withLocation(form, chosen))
            }}
          />
          <TextInput
            label="Event address"
            autoComplete="off"
            value={form.eventAddress}
            error={errors['eventAddress']}
            onChange={(event) => change({ eventAddress: event.currentTarget.value, isAddressTyped: true })}
          />
        </div>
        <DaysFields
          days={form.days}
          timeZone={location?.timeZone ?? null}
          errors={errors}
          onChange={(days) => change({ days })}
        />
        <ErrorAlert error={create.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            Create quote
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const optionsOf = (choices: readonly { id: string; name: string }[]) =>
  choices.map(({ id, name }) => ({ value: id, label: name }))

function useCreate(form: QuoteForm) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: (body: object) => call<NewQuoteAnswer>('POST', 'quotes', body),
    onSuccess: ({ id }) => {
      forgetBegun(form)
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      void navigate(`/quotes/${encodeURIComponent(id)}/edit`, { replace: true })
    },
  })
  return { create, isDone: create.isSuccess }
}

/** Once it is marked. */
function focusFirstError(): void {
  setTimeout(() => document.querySelector<HTMLElement>('#main [aria-invalid="true"]')?.focus(), 0)
}
