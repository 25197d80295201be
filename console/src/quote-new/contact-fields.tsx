/** The contact of a new quote: found by typing, or created with it. */
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { ContactSelect } from '../quotes/contact-select.tsx'
import { SameEmailNote } from '../records/same-email-note.tsx'
import { contactFrom } from './form.ts'
import type { FormErrors, NewContact, QuoteForm } from './form.ts'

interface ContactFieldsProps {
  form: QuoteForm
  errors: FormErrors
  change: (fields: Partial<QuoteForm>) => void
}

const FIELDS: [keyof NewContact, label: string, type: string][] = [
  ['firstName', 'First name', 'text'],
  ['lastName', 'Last name', 'text'],
  ['email', 'Email', 'email'],
  ['phone', 'Phone', 'tel'],
  ['companyName', 'Company', 'text'],
]

export function ContactFields({ form, errors, change }: ContactFieldsProps) {
  const { contact, newContact } = form
  const first = useRef<HTMLInputElement>(null)
  const isNew = newContact !== null
  // The field that the user typed in is gone.
  useEffect(() => {
    if (isNew) first.current?.focus()
  }, [isNew])
  if (newContact === null) {
    return (
      <div className="new-wide">
        <ContactSelect
          contact={contact}
          onChoose={(chosen) => change({ contact: chosen })}
          onCreate={(text) => change({ contact: null, newContact: contactFrom(text) })}
          error={errors['contact']}
          isFocused
        />
      </div>
    )
  }
  const use = ({ id, name }: { id: string; name: string }) =>
    change({ newContact: null, contact: { id, name, email: newContact.email.trim(), phone: null } })
  return (
    <div className="new-grid new-wide" role="group" aria-label="New contact">
      <Group className="new-wide" justify="space-between">
        <Text fw={600} size="sm">
          New contact
        </Text>
        <Button
          className="edit-quiet"
          variant="subtle"
          size="compact-sm"
          onClick={() => change({ newContact: null })}
        >
          Choose an existing contact
        </Button>
      </Group>
      {FIELDS.map(([name, label, type], index) => (
        <div key={name}>
          <TextInput
            type={type}
            label={label}
            ref={index === 0 ? first : undefined}
            autoComplete="off"
            maxLength={320}
            value={newContact[name]}
            error={errors[name]}
            onChange={(event) => change({ newContact: { ...newContact, [name]: event.currentTarget.value } })}
          />
          {name === 'email' ? <SameEmailNote email={newContact.email} exceptId={null} onUse={use} /> : null}
        </div>
      ))}
    </div>
  )
}
