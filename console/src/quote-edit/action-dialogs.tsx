/** The dialogs that mark a quote as sent or lost, reopen it and book it. */
import { Alert, Radio, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LOST_REASONS } from '../../../src/core/enumerations.ts'
import type { LostReason } from '../../../src/core/enumerations.ts'
import { NO_LINES } from '../../../src/core/quotes/quote-actions.ts'
import { NO_SERVICE_DAYS, planEvents } from '../../../src/core/quotes/quote-booking.ts'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import { formatMoney } from '../format.ts'
import { CustomerLink, useRevisions } from '../quotes/revisions.tsx'
import { LOST_WORDS } from '../quotes/words.ts'
import { ErrorState, LoadingState } from '../ui/states.tsx'
import { ActionDialog } from './action-dialog.tsx'
import type { DialogProps } from './action-dialog.tsx'
import { dayName } from './labels.ts'
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

export function SentDialog(props: DialogProps & { isAgain: boolean }) {
  const [today] = useState(() => dateOf(Date.now()))
  /** Null until a date is chosen. */
  const [chosen, setChosen] = useState<string | null>(null)
  const [message, setMessage] = useState('')
  const isPast = chosen !== null && chosen < today
  const expiresAt = chosen === null ? null : endOfDay(chosen)
  return (
    <ActionDialog
      {...props}
      title={props.isAgain ? 'Send again' : 'Send quote'}
      action={props.isAgain ? 'Send again' : 'Send quote'}
      path="sent"
      body={({ validDays }) => {
        const end = expiresAt ?? (chosen === null ? endOfDay(dateIn(validDays)) : null)
        return end === null || isPast
          ? null
          : { expiresAt: end, message: message.trim() === '' ? null : message }
      }}
      isImpossible={({ content }) => content.lines.length === 0}
      done="Quote sent."
      after={<SentLink id={props.id} />}
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
          <Textarea
            label="Message to the customer"
            description="Shown at the top of the page."
            autosize
            minRows={3}
            maxLength={5000}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}

function SentLink({ id }: { id: string }) {
  const { data, error, refetch } = useRevisions(id)
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data?.url == null) return <LoadingState lines={2} />
  return (
    <>
      <Text size="sm">
        <strong>Copy the link and send it to the customer.</strong> Mail is not set up on this server, so no
        message was sent.
      </Text>
      <CustomerLink url={data.url} />
    </>
  )
}

export function LostDialog(props: DialogProps) {
  const [reason, setReason] = useState<LostReason | null>(null)
  return (
    <ActionDialog
      {...props}
      title="Mark as lost"
      action="Mark as lost"
      isDangerous
      path="lost"
      body={() => (reason === null ? null : { reason })}
      done="Quote marked as lost."
    >
      {() => (
        <Radio.Group label="Why was the quote lost?" value={reason} onChange={setReason}>
          <Stack gap="xs" mt="xs">
            {LOST_REASONS.map((one) => (
              <Radio key={one} value={one} label={LOST_WORDS[one]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </ActionDialog>
  )
}

export function ReopenDialog(props: DialogProps) {
  return (
    <ActionDialog
      {...props}
      title="Reopen quote"
      action="Reopen"
      path="reopened"
      body={() => ({})}
      done="Quote reopened."
    >
      {(quote) => (
        <Text size="sm">
          The quote {quote.sentAt === null ? 'becomes a draft again' : 'counts as sent again'}, and the lost
          reason is removed.
        </Text>
      )}
    </ActionDialog>
  )
}

export function BookDialog(props: DialogProps) {
  return (
    <ActionDialog
      {...props}
      title="Book quote"
      action="Book"
      path="booked"
      body={() => ({})}
      isImpossible={({ content }) => content.serviceDays.length === 0}
      done="Quote booked."
    >
      {(quote) => <BookingPreview quote={quote} />}
    </ActionDialog>
  )
}

function BookingPreview({ quote }: { quote: QuoteEditAnswer }) {
  const { content, catalogue, currency, totalCents, timeZone, client } = quote
  if (content.serviceDays.length === 0) {
    return <Alert color="yellow">{NO_SERVICE_DAYS}</Alert>
  }
  const names = new Map([...catalogue.services, ...catalogue.addons].map(({ id, name }) => [id, name]))
  const events = planEvents(quote, content, catalogue)
  return (
    <>
      <Text size="sm">
        Creates a booking {client === null ? '' : `for ${client} `}at the current total. The total is fixed
        after booking.
      </Text>
      <div className="edit-total">
        <Text fw={650}>Total</Text>
        <Text className="app-figure" fw={700} fz="lg">
          {formatMoney(totalCents, currency)}
        </Text>
      </div>
      <div>
        <Text size="sm" fw={600} mb={4}>
          {events.length === 1 ? '1 event will be created' : `${events.length} events will be created`}
        </Text>
        {/* The keyboard can scroll a long list. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <ul className="app-list edit-events" tabIndex={0} aria-label="Events in the booking">
          {events.map((event) => {
            const items = [...event.serviceIds, ...event.addonIds].map((id) => names.get(id))
            return (
              <li key={`${event.serviceStartTime} ${event.name}`}>
                <Text size="sm">{event.name ?? 'Event'}</Text>
                <Text size="sm" c="dimmed">
                  {dayName(event, timeZone)}
                </Text>
                {items.length === 0 ? null : (
                  <Text size="sm" c="dimmed">
                    {items.join(', ')}
                  </Text>
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
