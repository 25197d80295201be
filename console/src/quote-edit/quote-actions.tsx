/** The actions that a quote's state allows, each with a confirmation. */
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { refusalOf } from '../../../src/core/quotes/quote-actions.ts'
import type { QuoteAction } from '../../../src/core/quotes/quote-actions.ts'
import { NO_SERVICE_DAYS } from '../../../src/core/quotes/quote-booking.ts'
import { PencilIcon } from '../ui/icons.tsx'
import { BookDialog, LostDialog, ReopenDialog, SentDialog } from './action-dialogs.tsx'

interface QuoteActionsProps {
  quote: {
    id: string
    state: Parameters<typeof refusalOf>[1]
    /** As the page shows it. */
    totalCents: number
    hasServiceDays: boolean
  }
}

export function QuoteActions({ quote }: QuoteActionsProps) {
  const { id, state, totalCents, hasServiceDays } = quote
  const [asked, setAsked] = useState<QuoteAction | null>(null)
  const may = (action: QuoteAction) => refusalOf(action, state) === null
  const ask = (action: QuoteAction) => () => setAsked(action)
  const dialog = (action: QuoteAction) => ({
    id,
    seenTotalCents: totalCents,
    isOpen: asked === action,
    onClose: () => setAsked(null),
  })
  return (
    <>
      {may('book') ? (
        <Button
          onClick={ask('book')}
          variant={hasServiceDays ? 'filled' : 'default'}
          disabled={!hasServiceDays}
          aria-describedby={hasServiceDays ? undefined : 'why-not-booked'}
        >
          Book
        </Button>
      ) : null}
      {may('edit') ? (
        <Button
          variant="default"
          component={Link}
          to={`/quotes/${encodeURIComponent(id)}/edit`}
          leftSection={<PencilIcon />}
        >
          Edit
        </Button>
      ) : null}
      {may('send') ? (
        <Button variant="default" onClick={ask('send')}>
          {state === 'draft' ? 'Mark as sent' : 'Mark as sent again'}
        </Button>
      ) : null}
      {may('reopen') ? (
        <Button variant="default" onClick={ask('reopen')}>
          Reopen
        </Button>
      ) : null}
      {may('lose') ? (
        <Button variant="subtle" color="red" className="edit-danger" onClick={ask('lose')}>
          Mark as lost
        </Button>
      ) : null}
      {may('book') && !hasServiceDays ? (
        <Text id="why-not-booked" size="sm" c="dimmed" className="edit-why">
          {NO_SERVICE_DAYS}
        </Text>
      ) : null}
      <SentDialog {...dialog('send')} />
      <LostDialog {...dialog('lose')} />
      <ReopenDialog {...dialog('reopen')} />
      <BookDialog {...dialog('book')} />
    </>
  )
}
