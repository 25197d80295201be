/** Warns if another contact has the same email address. It is no error. */
import { Button, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link } from 'react-router'
import type { SameEmailAnswer } from '../../../src/console/contacts.ts'
import { useGet } from '../use-get.ts'
import { pageOf } from './kinds.ts'
import './same-email-note.css'

const DELAY_MS = 300

interface SameEmailNoteProps {
  email: string
  exceptId: string | null
  /** Takes that contact instead. */
  onUse?: (contact: { id: string; name: string }) => void
}

export function SameEmailNote({ email, exceptId, onUse }: SameEmailNoteProps) {
  const [sent] = useDebouncedValue(email.trim(), DELAY_MS)
  const query = new URLSearchParams({
    email: sent,
    ...(exceptId !== null && { except: exceptId }),
  }).toString()
  const { data } = useGet<SameEmailAnswer>(
    ['contacts', 'same-email', query],
    `contacts/same-email?${query}`,
    { enabled: sent.includes('@') },
  )
  const found = sent.includes('@') ? (data?.contacts ?? []) : []
  return (
    <div role="status">
      {found.length === 0 ? null : (
        <Text size="xs" mt={4} className="same-email">
          {'Also the email address of '}
          {found.map(({ id, name }, i) => (
            <span key={id}>
              {i === 0 ? '' : ', '}
              <Link className="app-link" to={pageOf('contacts', id)} target="_blank">
                {name || 'an unnamed contact'}
              </Link>
            </span>
          ))}
          . You can save it anyway, and merge them later.
          {onUse === undefined
            ? null
            : found.map((contact) => (
                <Button key={contact.id} variant="subtle" size="compact-sm" onClick={() => onUse(contact)}>
                  Use {contact.name || 'the unnamed contact'}
                </Button>
              ))}
        </Text>
      )}
    </div>
  )
}
