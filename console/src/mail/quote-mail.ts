/** The email with which a quote is sent, as the dialog edits it. */
import type { ListedMail } from '../../../src/records/mail/list.ts'
import type { QuoteMailsAnswer } from '../../../src/console/quote-mails.ts'
import { useGet } from '../use-get.ts'

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

interface WithMails {
  mails: readonly Pick<ListedMail, 'status' | 'error'>[]
}

/** For the interval of a query: as long as a message is being sent. */
export const whileSending = ({ state: { data } }: { state: { data: WithMails | undefined } }) =>
  data?.mails.some(({ status, error }) => status === 'pending' && error === null) === true
    ? REFRESH_MS
    : false

export function useQuoteMails(id: string, isEnabled = true) {
  return useGet<QuoteMailsAnswer>(['quote-mails', id], `quotes/${encodeURIComponent(id)}/mails`, {
    enabled: isEnabled,
    refetchInterval: whileSending,
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
