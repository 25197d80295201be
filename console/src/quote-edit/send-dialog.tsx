/** The dialog that sends a quote, by email or by a link to copy. */
import { Alert, Text, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { MESSAGE_MAX, NO_LINES } from '../../../src/core/quotes/quote-actions.ts'
import { formatMoney } from '../format.ts'
import { MailFields } from '../mail/mail-fields.tsx'
import { NEW_MAIL, mailInput, useQuoteMails } from '../mail/quote-mail.ts'
import type { MailDraft } from '../mail/quote-mail.ts'
import { CustomerLink, useRevisions } from '../quotes/revisions.tsx'
import { ErrorState, LoadingState } from '../ui/states.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { useKeepInput, useKeptEdit } from './kept-edits.ts'
import type { DialogProps } from './action-dialog.tsx'
import './quote-edit.css'
import './dialogs.css'

const DAY_MS = 86_400_000

/** The date in the browser's time zone, as the value of a date field. */
function dateOf(ms: number): string {
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return at.toISOString().slice(0, 10)
}

const dateIn = (days: number) => dateOf(Date.now() + days * DAY_MS)

/** The last millisecond of the day. Null for an invalid date. */
function endOfDay(date: string): string | null {
  const end = new Date(`${date}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

interface Input {
  /** Null until a date is chosen. */
  chosen: string | null
  message: string
  draft: MailDraft
}

/** The input of a dialog that was open when the session ended. */
export const useKeptSend = (quoteId: string) => useKeptEdit(`send ${quoteId}`) as Input | undefined

export function SentDialog(props: DialogProps & { isAgain: boolean }) {
  const [today] = useState(() => dateOf(Date.now()))
  const kept = useKeptSend(props.id)
  const [chosen, setChosen] = useState(kept?.chosen ?? null)
  const [message, setMessage] = useState(kept?.message ?? '')
  const [draft, setDraft] = useState(kept?.draft ?? NEW_MAIL)
  const isTyped = props.isOpen && (chosen !== null || message !== '' || draft !== NEW_MAIL)
  useKeepInput(`send ${props.id}`, { chosen, message, draft } satisfies Input, isTyped)
  const mails = useQuoteMails(props.id, props.isOpen)
  const mail = mailInput(draft, mails.data)
  const isPast = chosen !== null && chosen < today
  const endOf = (validDays: number) => endOfDay(chosen ?? dateIn(validDays))
  const written = message.trim() === '' ? null : message
  return (
    <ActionDialog
      {...props}
      title={props.isAgain ? 'Send again' : 'Send quote'}
      action={props.isAgain ? 'Send again' : 'Send quote'}
      path="sent"
      body={({ validDays }) => {
        const expiresAt = endOf(validDays)
        const isReady = expiresAt !== null && !isPast && mails.data !== undefined && mail?.to !== ''
        return isReady ? { expiresAt, message: written, mail } : null
      }}
      isImpossible={({ content }) => content.lines.length === 0}
      done="Quote sent."
      after={
        <SentLink id={props.id} sentTo={mail?.to} isMailConfigured={mails.data?.isMailConfigured === true} />
      }
    >
      {(quote) => (
        <>
          {quote.content.lines.length === 0 ? <Alert color="yellow">{NO_LINES}</Alert> : null}
          <Text size="sm">
            Creates a page on which the customer can read and accept this quote for{' '}
            {formatMoney(quote.totalCents, quote.currency)}.
            {quote.sentAt === null ? '' : ' The link that you sent before stops working.'}
          </Text>
          <TextInput
            type="date"
            label="Valid through"
            value={chosen ?? dateIn(quote.validDays)}
            min={today}
            onChange={(event) => setChosen(event.currentTarget.value)}
            error={isPast ? 'Choose today or a later date.' : undefined}
          />
          {mails.error === null ? null : (
            <ErrorState error={mails.error} onRetry={() => void mails.refetch()} />
          )}
          {mails.data === undefined ? null : (
            <MailFields
              quoteId={props.id}
              answer={mails.data}
              draft={draft}
              onChange={setDraft}
              content={{ expiresAt: endOf(quote.validDays), message: written }}
            >
              <Textarea
                label="Message to the customer"
                description={
                  mail === undefined
                    ? 'Shown at the top of the page.'
                    : 'Shown in the email and at the top of the page.'
                }
                autosize
                minRows={3}
                maxLength={MESSAGE_MAX}
                value={message}
                onChange={(event) => setMessage(event.currentTarget.value)}
              />
            </MailFields>
          )}
        </>
      )}
    </ActionDialog>
  )
}

interface SentLinkProps {
  id: string
  /** Undefined if it was not sent by email. */
  sentTo: string | undefined
  isMailConfigured: boolean
}

function SentLink({ id, sentTo, isMailConfigured }: SentLinkProps) {
  const { data, error, refetch } = useRevisions(id)
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />
  if (data?.url == null) return <LoadingState lines={2} />
  return (
    <>
      {sentTo === undefined ? (
        <Text size="sm">
          <strong>Copy the link and send it to the customer.</strong>{' '}
          {isMailConfigured
            ? 'No message was sent.'
            : 'Email is not set up on this server, so no message was sent.'}
        </Text>
      ) : (
        <Text size="sm" className="app-wrap">
          The quote is being sent to <strong>{sentTo}</strong>. Its status is on the page of the quote, under
          Messages.
        </Text>
      )}
      <CustomerLink url={data.url} />
    </>
  )
}
