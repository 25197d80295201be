/** The form of a new quote. It keeps its input until the quote is created. */
import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { NewQuoteAnswer } from '../../../src/console/quote-new.ts'
import type { QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import { call, refreshAll } from '../call.ts'
import '../quote-edit/quote-edit.css'
import { useChoiceSearch } from '../records/choice-search.ts'
import { Form, focusFirstError } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { forgetBegun, keepBegun } from './begun-form.ts'
import { ContactFields } from './contact-fields.tsx'
import { DaysFields } from './days-fields.tsx'
import { EventFields } from './event-fields.tsx'
import { readForm } from './form.ts'
import type { FormErrors, QuoteForm } from './form.ts'
import './quote-new.css'

interface NewQuoteFormProps {
  owner: string
  choices: QuoteChoices
  initial: QuoteForm
}

export function NewQuoteForm({ owner, choices, initial }: NewQuoteFormProps) {
  const [form, setForm] = useState(initial)
  const { locationId, eventTypeId } = form
  const locations = useChoiceSearch({ path: 'locations', loaded: choices.locations, value: locationId })
  const eventTypes = useChoiceSearch({ path: 'event-types', loaded: choices.eventTypes, value: eventTypeId })
  const [errors, setErrors] = useState<FormErrors>({})
  const change = (fields: Partial<QuoteForm>) => {
    const next = { ...form, ...fields }
    keepBegun(owner, next)
    setForm(next)
  }
  const create = useCreate(form)
  const location = locations.choices.find(({ id }) => id === locationId)
  // The times of the days are in the zone of the location.
  const isBusy = create.isPending || create.isSuccess || locations.isPending
  const submit = () => {
    const read = readForm(form, location?.timeZone ?? 'UTC')
    setErrors('errors' in read ? read.errors : {})
    if ('errors' in read) focusFirstError()
    else if (!isBusy) create.mutate(read.body)
  }
  return (
    <Form onSubmit={submit}>
      <Stack className="app-panel new-quote" p={{ base: 'md', sm: 'lg' }}>
        <div className="new-grid">
          <ContactFields form={form} errors={errors} change={change} />
          <EventFields
            form={form}
            errors={errors}
            change={change}
            locations={locations}
            eventTypes={eventTypes}
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
    </Form>
  )
}

function useCreate(form: QuoteForm) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: object) => call<NewQuoteAnswer>('POST', 'quotes', body),
    onSuccess: ({ id }) => {
      forgetBegun(form)
      void refreshAll()
      void navigate(`/quotes/${encodeURIComponent(id)}/edit`, { replace: true })
    },
  })
}
