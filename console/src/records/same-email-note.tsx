/** Warns if another contact has the same email address. It is no error. */
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { SameEmailAnswer } from '../../../src/console/contacts.ts'
import { get } from '../call.ts'
import { pageOf } from './kinds.ts'

const DELAY_MS = 300

export function SameEmailNote({ email, exceptId }: { email: string; exceptId: string | null }) {
  const [sent] = useDebouncedValue(email.trim(), DELAY_MS)
  const query = new URLSearchParams({
    email: sent,
    ...(exceptId !== null && { except: exceptId }),
  }).toString()
  const { data } = useQuery({
    queryKey: ['contacts', 'same-email', query],
    queryFn: () => get<SameEmailAnswer>(`contacts/same-email?${query}`),
    enabled: sent.includes('@'),
  })
  const found = sent.includes('@') ? (data?.contacts ?? []) : []
  return (
    <div role="status">
      {found.length === 0 ? null : (
        <Text size="xs" mt={4} className="record-warning">
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
        </Text>
      )}
    </div>
  )
}
