/** The form of a new quote, and the call that it makes. */
import type { ContactChoice, LocationChoice } from '../../../src/core/quotes/quote-choices.ts'
import { formatAddress } from '../format.ts'
import { nextDay, parseCount, timesOf } from '../quote-edit/draft-details.ts'
import type { DraftDay } from '../quote-edit/draft-details.ts'

export interface NewContact {
  firstName: string
  lastName: string
  email: string
  phone: string
  companyName: string
}

export interface QuoteForm {
  /** Only of the form: the quote gets another one. */
  id: string
  contact: ContactChoice | null
  /** Null while an existing contact is chosen. */
  newContact: NewContact | null
  eventTypeId: string | null
  locationId: string | null
  eventAddress: string
  /** The address was typed, so another location does not replace it. */
  isAddressTyped: boolean
  guestCount: string
  currency: string
  days: DraftDay[]
}

let forms = 0

export function emptyForm(
  locations: readonly LocationChoice[],
  contact: ContactChoice | null,
  currency: string,
): QuoteForm {
  const usable = locations.filter(({ isArchived }) => !isArchived)
  const only = usable.length === 1 ? usable[0] : undefined
  return {
    id: `new-quote-${++forms}`,
    contact,
    newContact: null,
    eventTypeId: null,
    locationId: only?.id ?? null,
    eventAddress: only === undefined ? '' : formatAddress(only),
    isAddressTyped: false,
    guestCount: '',
    currency,
    days: [nextDay([])],
  }
}

/** `Ada Noor` has a first and a last name; an email address or phone number is one. */
export function contactFrom(text: string): NewContact {
  const empty = { firstName: '', lastName: '', email: '', phone: '', companyName: '' }
  if (text.includes('@')) return { ...empty, email: text }
  if (/^[+\d][\d\s()./-]*$/.test(text)) return { ...empty, phone: text }
  const [firstName = '', ...rest] = text.split(/\s+/)
  return { ...empty, firstName, lastName: rest.join(' ') }
}

export function withLocation(form: QuoteForm, location: LocationChoice): QuoteForm {
  const eventAddress = form.isAddressTyped ? form.eventAddress : formatAddress(location)
  return { ...form, locationId: location.id, eventAddress }
}

export type FormErrors = Readonly<Record<string, string>>

/** The body of the call, or the fields to correct. Days without any value are left out. */
export function readForm(form: QuoteForm, timeZone: string): { body: object } | { errors: FormErrors } {
  const { contact, newContact, eventTypeId, locationId, eventAddress, currency, days } = form
  const errors: Record<string, string> = {}
  const lead = newContact === null ? null : filled(newContact)
  if (contact === null && lead === null) errors['contact'] = 'Choose a contact, or create one.'
  if (lead !== null && Object.keys(lead).length === 0) errors['firstName'] = 'Enter a name, email or phone.'
  if (lead?.email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(lead.email))
    errors['email'] = 'Enter an email address.'
  if (locationId === null) errors['location'] = 'Choose a location.'
  if (eventAddress.trim() === '') errors['eventAddress'] = 'Enter the address of the event.'
  const guestCount = parseCount(form.guestCount)
  if (guestCount === null) errors['guestCount'] = 'Enter a whole number.'
  const typed = days.filter(({ date, start, end }) => date + start + end !== '')
  for (const { id, date, start, end } of typed) {
    if (date === '') errors[`${id}.date`] = 'Enter a date.'
    if (start === '') errors[`${id}.start`] = 'Enter a time.'
    if (end === '') errors[`${id}.end`] = 'Enter a time.'
  }
  if (Object.keys(errors).length > 0) return { errors }
  return {
    body: {
      ...(lead === null ? { leadId: contact?.id } : { lead }),
      ...(eventTypeId === null ? {} : { eventTypeId }),
      locationId,
      eventAddress,
      guestCount,
      currency,
      serviceDays: typed.flatMap((day) => timesOf(day, timeZone) ?? []),
    },
  }
}

function filled(contact: NewContact): Partial<NewContact> {
  return Object.fromEntries(
    Object.entries(contact)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  )
}
