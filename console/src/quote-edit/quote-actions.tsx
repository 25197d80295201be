/** The actions that a quote's state allows. The main button is the next step; the others are beside it or in the menu. */
import { ActionIcon, Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { NewQuoteAnswer } from '../../../src/console/quote-new.ts'
import { NO_LINES, nextStep, refusalOf } from '../../../src/core/quotes/quote-actions.ts'
import type { QuoteAction } from '../../../src/core/quotes/quote-actions.ts'
import { NO_SERVICE_DAYS } from '../../../src/core/quotes/quote-booking.ts'
import { call, queryClient } from '../call.ts'
import { DotsIcon, PencilIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { notifyFailure } from '../ui/notify.ts'
import {
  BookDialog,
  CancelBookingDialog,
  LostDialog,
  ReopenDialog,
  UndoBookingDialog,
} from './action-dialogs.tsx'
import { SentDialog, useKeptSend } from './send-dialog.tsx'

interface QuoteActionsProps {
  quote: {
    id: string
    state: Parameters<typeof refusalOf>[1]
    /** As the page shows it. */
    totalCents: number
    hasServiceDays: boolean
    hasLines: boolean
    /** A booking that is not canceled. */
    hasBooking: boolean
  }
}

const editLink = (id: string) => `/quotes/${encodeURIComponent(id)}/edit`

export function QuoteActions({ quote }: QuoteActionsProps) {
  const { id, state, totalCents, hasServiceDays, hasLines, hasBooking } = quote
  const kept = useKeptSend(id)
  const [asked, setAsked] = useState<QuoteAction | null>(kept === undefined ? null : 'send')
  const may = (action: QuoteAction) => refusalOf(action, state) === null
  const next = nextStep(state)
  /** Why the action is not possible yet. */
  const missing: Partial<Record<QuoteAction, string>> = {
    ...(hasLines ? {} : { send: NO_LINES }),
    ...(hasServiceDays ? {} : { book: NO_SERVICE_DAYS }),
  }
  const labels: [QuoteAction, string][] = [
    ['send', state === 'draft' ? 'Send quote' : 'Send again'],
    ['book', 'Book'],
    ['reopen', 'Reopen'],
  ]
  const steps = labels
    .filter(([action]) => may(action))
    .toSorted(([a], [b]) => Number(b === next) - Number(a === next))
  const reason = steps.flatMap(([action]) => missing[action] ?? [])[0]
  const dialog = (action: QuoteAction) => ({
    id,
    seenTotalCents: totalCents,
    isOpen: asked === action,
    onClose: () => setAsked(null),
  })
  return (
    <>
      {steps.map(([action, label]) => (
        <Button
          key={action}
          variant={action === next ? 'filled' : 'default'}
          disabled={missing[action] !== undefined}
          aria-describedby={missing[action] === undefined ? undefined : 'why-not'}
          onClick={() => setAsked(action)}
        >
          {label}
        </Button>
      ))}
      {may('edit') ? (
        <Button variant="default" component={Link} to={editLink(id)} leftSection={<PencilIcon />}>
          Edit
        </Button>
      ) : null}
      <MoreActions id={id} mayLose={may('lose')} hasBooking={hasBooking} onAsk={setAsked} />
      {reason === undefined ? null : (
        <Note id="why-not" className="edit-why">
          {reason}
        </Note>
      )}
      <SentDialog {...dialog('send')} isAgain={state !== 'draft'} />
      <LostDialog {...dialog('lose')} />
      <ReopenDialog {...dialog('reopen')} />
      <BookDialog {...dialog('book')} />
      <UndoBookingDialog {...dialog('undoBooking')} />
      <CancelBookingDialog {...dialog('cancelBooking')} />
    </>
  )
}

interface MoreActionsProps {
  id: string
  mayLose: boolean
  hasBooking: boolean
  onAsk: (action: QuoteAction) => void
}

function MoreActions({ id, mayLose, hasBooking, onAsk }: MoreActionsProps) {
  const duplicate = useDuplicate(id)
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions" loading={duplicate.isPending}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => duplicate.mutate()}>Duplicate</Menu.Item>
        {mayLose ? (
          <Menu.Item className="edit-danger" onClick={() => onAsk('lose')}>
            Mark as lost
          </Menu.Item>
        ) : null}
        {hasBooking ? (
          <>
            <Menu.Item onClick={() => onAsk('undoBooking')}>Undo booking</Menu.Item>
            <Menu.Item className="edit-danger" onClick={() => onAsk('cancelBooking')}>
              Cancel booking
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Opens the copy in the editor. */
function useDuplicate(id: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => call<NewQuoteAnswer>('POST', `quotes/${encodeURIComponent(id)}/duplicate`, {}),
    onSuccess: (copy) => {
      void queryClient.invalidateQueries({ queryKey: ['quotes'] })
      void navigate(editLink(copy.id))
    },
    onError: notifyFailure('Could not duplicate the quote'),
  })
}
