/** The contact that the URL of a new quote asks for: `/quotes/new?contact=lead_1`. */
import { useSearchParams } from 'react-router'
import type { StoredRecord } from '../../../src/console/records.ts'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import { leadName } from '../../../src/core/lead-name.ts'
import type { LeadNames } from '../../../src/core/lead-name.ts'
import type { ContactChoice } from '../../../src/core/quotes/quote-choices.ts'
import { CallError } from '../call.ts'
import { useRecord } from '../records/queries.ts'

const PARAM = 'contact'

export const newQuotePath = (contactId: string) =>
  `${CONSOLE_PAGES.quoteNew}?${new URLSearchParams({ [PARAM]: contactId })}`

interface AskedContact {
  /** Null without one, or if it cannot get quotes. */
  contact: ContactChoice | null
  /** Why the contact of the URL is ignored. */
  problem: string | null
  isLoading: boolean
  /** It could not be read. */
  error: Error | null
  refetch: () => unknown
}

export function useAskedContact(): AskedContact {
  const [params] = useSearchParams()
  const id = params.get(PARAM) || null
  const { data, error, isLoading, refetch } = useRecord('contacts', id)
  const record = data?.record
  const isUnknown = error instanceof CallError && [400, 404].includes(error.status)
  const isArchived = record !== undefined && record.archivedAt !== null
  return {
    contact: record === undefined || isArchived ? null : choiceOf(record),
    problem: isArchived
      ? 'The contact of this link is archived. Choose another one, or restore it first.'
      : isUnknown
        ? 'The contact of this link does not exist. Choose another one.'
        : null,
    isLoading,
    error: record === undefined && !isUnknown ? error : null,
    refetch,
  }
}

function choiceOf(record: StoredRecord): ContactChoice {
  const text = (name: string) => (record[name] ?? null) as string | null
  const name = leadName(record as unknown as LeadNames)
  return { id: record.id, name, email: text('email'), phone: text('phone') }
}
