/** The email with which a quote is sent, as the dialog edits it. */
import { useQuery } from '@tanstack/react-query'
import type { QuoteMailsAnswer } from '../../../src/console/quote-mails.ts'
import { get } from '../call.ts'

export interface MailDraft {
  /** False: the user sends the link. */
  isOn: boolean
  /** Null until it is changed: the address of the customer. */
  to: string | null
  /** Empty: the usual one. */
  subject: string
}

export const NEW_MAIL: MailDraft = { isOn: true, to: null, subject: '' }

/** A message is sent within seconds. */
const REFRESH_MS = 3_000

export function useQuoteMails(id: string, isEnabled = true) {
  return useQuery({
    queryKey: ['quote-mails', id],
    queryFn: () => get<QuoteMailsAnswer>(`quotes/${encodeURIComponent(id)}/mails`),
    enabled: isEnabled,
    refetchInterval: ({ state }) =>
      state.data?.mails.some(({ status, error }) => status === 'pending' && error === null) === true
        ? REFRESH_MS
        : false,
  })
}

/** As the call takes it. Undefined: nothing is sent by email. */
export function mailInput(
  { isOn, to, subject }: MailDraft,
  answer: QuoteMailsAnswer | undefined,
): { to: string; subject: string | null } | undefined {
  if (!isOn || answer?.isMailConfigured !== true) return undefined
  return { to: (to ?? answer.to ?? '').trim(), subject: subject.trim() === '' ? null : subject }
}
