/** The dialogs that mark a quote as lost, reopen it and book it. Sending is in send-dialog.tsx. */
import { Alert, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { LOST_REASONS } from '../../../src/core/enumerations.ts'
import type { LostReason } from '../../../src/core/enumerations.ts'
import { NO_SERVICE_DAYS, planEvents } from '../../../src/core/quotes/quote-booking.ts'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import { formatMoney } from '../format.ts'
import { LOST_WORDS } from '../quotes/words.ts'
import { Note } from '../ui/note.ts'
import { ActionDialog } from './action-dialog.tsx'
import type { DialogProps } from './action-dialog.tsx'
import { dayName } from './labels.ts'
import './quote-edit.css'
import './dialogs.css'

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
    <ActionDialog {...props} title="Reopen quote" action="Reopen" path="reopened" done="Quote reopened.">
      {(quote) => (
        <Text size="sm">
          The quote {quote.sentAt === null ? 'becomes a draft again' : 'is marked as sent again'}, and the
          lost reason is removed.
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
      isImpossible={({ content }) => content.serviceDays.length === 0}
      done="Quote booked."
    >
      {(quote) => <BookingPreview quote={quote} />}
    </ActionDialog>
  )
}

export function UndoBookingDialog(props: DialogProps) {
  return (
    <ActionDialog
      {...props}
      title="Undo booking"
      action="Undo booking"
      isDangerous
      path="booking-undone"
      done="Booking undone."
    >
      {(quote) => (
        <Text size="sm">
          Cancels the booking and its events, and voids its invoices. The quote becomes{' '}
          {quote.sentAt === null ? 'a draft' : 'a sent quote'} again. This is possible until the first payment
          or the first event.
        </Text>
      )}
    </ActionDialog>
  )
}

export function CancelBookingDialog(props: DialogProps) {
  return (
    <ActionDialog
      {...props}
      title="Cancel booking"
      action="Cancel booking"
      isDangerous
      path="booking-canceled"
      done="Booking canceled."
    >
      {() => (
        <Text size="sm">
          Cancels the booking and its events. The invoices stay as they are. This cannot be undone.
        </Text>
      )}
    </ActionDialog>
  )
}

function BookingPreview({ quote }: { quote: QuoteEditAnswer }) {
  const { content, catalog, currency, totalCents, timeZone, client } = quote
  if (content.serviceDays.length === 0) {
    return <Alert color="yellow">{NO_SERVICE_DAYS}</Alert>
  }
  const names = new Map([...catalog.services, ...catalog.addons].map(({ id, name }) => [id, name]))
  const events = planEvents(quote, content, catalog)
  return (
    <>
      <Text size="sm">
        Creates a booking {client === null ? '' : `for ${client} `}at the current total, and invoices
        according to the payment terms. The total is fixed after booking.
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
                <Note>{dayName(event, timeZone)}</Note>
                {items.length === 0 ? null : <Note>{items.join(', ')}</Note>}
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
