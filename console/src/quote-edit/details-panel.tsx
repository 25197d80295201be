/** The event of the quote: who it is for, where it takes place, how many guests come. */
import { Button, Select, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Dispatch } from 'react'
import type { Choice, ContactChoice, QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import { DETAILS } from '../../../src/core/quotes/quote-details.ts'
import { formatNumber } from '../format.ts'
import { ContactSelect, contactName } from '../quotes/contact-select.tsx'
import { labelWithState, useChoiceSearch } from '../records/choice-search.ts'
import { PencilIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import type { Draft, DraftAction } from './draft.ts'
import { parseCount } from './draft-details.ts'
import type { CountField, DraftDetails } from './draft-details.ts'
import { FigureInput } from './figure-input.tsx'

interface DetailsPanelProps {
  draft: Draft
  choices: QuoteChoices
  errors: Readonly<Record<string, string>>
  dispatch: Dispatch<DraftAction>
  /** The choice has a name from now on. */
  onFound: (found: Partial<QuoteChoices>) => void
}

/** Choices that are not archived, and the chosen one. */
function optionsOf(choices: readonly Choice[], chosen: string | null) {
  const options = choices
    .filter(({ id, isArchived }) => !isArchived || id === chosen)
    .map((choice) => ({ value: choice.id, label: labelWithState(choice) }))
  const isMissing = chosen !== null && options.every(({ value }) => value !== chosen)
  return isMissing ? [...options, { value: chosen, label: 'No longer exists' }] : options
}

/** The fields that an error opens. The number of guests is always shown. */
const FIELDS = Object.keys(DETAILS).filter((name) => name !== 'guestCount')

export function DetailsPanel(props: DetailsPanelProps) {
  const { draft, choices, errors } = props
  const { details } = draft
  const [isOpen, setIsOpen] = useState(false)
  const contact = choices.contacts.find(({ id }) => id === details.leadId) ?? null
  const isEdited = isOpen || FIELDS.some((field) => errors[field] !== undefined)
  return (
    <Panel
      title="Event"
      p={{ base: 'md', sm: 'lg' }}
      gap="sm"
      actions={
        isEdited ? null : (
          <Button
            className="edit-quiet"
            variant="subtle"
            size="compact-sm"
            leftSection={<PencilIcon />}
            onClick={() => setIsOpen(true)}
          >
            Edit details
          </Button>
        )
      }
    >
      <div className="edit-event">
        <CountInput name="guestCount" label="Guests" {...props} />
        {isEdited ? null : <Note className="app-wrap">{summaryOf(details, choices, contact)}</Note>}
      </div>
      {isEdited ? <Fields {...props} contact={contact} /> : null}
    </Panel>
  )
}

const nameOf = (list: readonly Choice[], id: string | null) => list.find((one) => one.id === id)?.name

function summaryOf(details: DraftDetails, choices: QuoteChoices, contact: ContactChoice | null): string {
  return [
    contact === null ? undefined : contactName(contact),
    nameOf(choices.eventTypes, details.eventTypeId),
    nameOf(choices.locations, details.locationId),
    details.eventAddress,
  ]
    .filter((text) => text !== undefined)
    .join(' · ')
}

function CountInput({
  name,
  label,
  draft,
  errors,
  dispatch,
}: { name: CountField; label: string } & Pick<DetailsPanelProps, 'draft' | 'errors' | 'dispatch'>) {
  const value = draft.details[name]
  const count = parseCount(value)
  return (
    <FigureInput
      label={label}
      inputMode="numeric"
      value={value}
      shown={count === null ? value : formatNumber(count)}
      error={errors[name]}
      onChange={(text) => dispatch({ type: 'details', change: { [name]: text } })}
    />
  )
}

const TEXTS = [
  ['siteContactName', 'Site contact'],
  ['siteContactPhone', 'Phone of the site contact'],
  ['entityToInvoice', 'Entity to invoice'],
] as const

function Fields(props: DetailsPanelProps & { contact: ContactChoice | null }) {
  const { draft, errors, dispatch, contact, onFound } = props
  const { details } = draft
  const change = (fields: Partial<DraftDetails>) => dispatch({ type: 'details', change: fields })
  return (
    <div className="edit-terms-grid">
      <ContactSelect
        key={contact?.id}
        contact={contact}
        onChoose={(chosen) => {
          onFound({ contacts: [chosen] })
          change({ leadId: chosen.id })
        }}
        error={errors['leadId']}
        isFocused
      />
      <ChoiceField {...props} label="Event type" name="eventTypeId" />
      <LocationField {...props} />
      <TextInput
        label="Event address"
        value={details.eventAddress}
        onChange={(event) => change({ eventAddress: event.currentTarget.value })}
        error={errors['eventAddress']}
      />
      <CountInput {...props} name="numberOfStaff" label="Staff needed" />
      <CountInput {...props} name="numberOfResources" label="Equipment needed" />
      {TEXTS.map(([name, label]) => (
        <TextInput
          key={name}
          label={label}
          value={details[name] ?? ''}
          onChange={(event) => change({ [name]: event.currentTarget.value || null })}
          error={errors[name]}
        />
      ))}
      <ChoiceField {...props} label="Payment terms" name="paymentTermsId" />
      <ChoiceField {...props} label="Contract" name="contractId" />
      <Textarea
        className="edit-wide"
        label="Description"
        autosize
        minRows={2}
        maxRows={10}
        value={details.eventDescription ?? ''}
        onChange={(event) => change({ eventDescription: event.currentTarget.value || null })}
        error={errors['eventDescription']}
      />
    </div>
  )
}

const KINDS = {
  eventTypeId: { kind: 'eventTypes', path: 'event-types' },
  paymentTermsId: { kind: 'paymentTerms', path: 'payment-terms' },
  contractId: { kind: 'contracts', path: 'contracts' },
} as const

interface ChoiceFieldProps extends DetailsPanelProps {
  label: string
  name: keyof typeof KINDS
}

function ChoiceField({ label, name, draft, choices: all, errors, dispatch, onFound }: ChoiceFieldProps) {
  const { kind, path } = KINDS[name]
  const value = draft.details[name]
  const { choices, field } = useChoiceSearch<Choice>({
    path,
    loaded: all[kind],
    value,
    labelOf: labelWithState,
  })
  return (
    <Select
      {...field}
      label={label}
      placeholder="None"
      data={optionsOf(choices, value)}
      value={value}
      onChange={(id) => {
        onFound({ [kind]: choices.filter((one) => one.id === id) })
        dispatch({ type: 'details', change: { [name]: id } })
      }}
      error={errors[name]}
      clearable
    />
  )
}

function LocationField({ draft, choices: all, errors, dispatch, onFound }: DetailsPanelProps) {
  const value = draft.details.locationId
  const { choices, field } = useChoiceSearch({
    path: 'locations',
    loaded: all.locations,
    value,
    labelOf: labelWithState,
  })
  return (
    <Select
      {...field}
      label="Location"
      data={optionsOf(choices, value)}
      value={value}
      allowDeselect={false}
      error={errors['locationId']}
      onChange={(id) => {
        const location = choices.find((one) => one.id === id)
        if (location === undefined) return
        onFound({ locations: [location] })
        dispatch({ type: 'details', change: { locationId: location.id }, timeZone: location.timeZone })
      }}
    />
  )
}
