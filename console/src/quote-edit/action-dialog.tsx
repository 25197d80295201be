/** A dialog that applies one action to a quote. */
import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { QuoteChangeAnswer, QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import { CallError, call, refreshAll } from '../call.ts'
import { formatMoney } from '../format.ts'
import { Form, FormButtons } from '../ui/form.tsx'
import { ErrorAlert, ErrorState, LoadingState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export interface DialogProps {
  id: string
  /** The total on the page behind it. */
  seenTotalCents: number
  isOpen: boolean
  onClose: () => void
}

interface ActionDialogProps extends DialogProps {
  title: string
  /** The label of the button. */
  action: string
  isDangerous?: boolean
  path: 'sent' | 'lost' | 'reopened' | 'booked' | 'booking-undone' | 'booking-canceled'
  /** Sent with the version. Null while the input is incomplete. */
  body?: (quote: QuoteEditAnswer) => object | null
  /** The action is not possible for this quote. The content says why. */
  isImpossible?: (quote: QuoteEditAnswer) => boolean
  /** Shown after success. */
  done: string
  /** Shown in the dialog after success, which then stays open. */
  after?: ReactNode
  children: (quote: QuoteEditAnswer) => ReactNode
}

/** The action applies to the displayed version. */
export function ActionDialog(props: ActionDialogProps) {
  const { id, isOpen, onClose } = props
  // The page behind has another state after the action, and with it another title.
  const [title, setTitle] = useState<string | null>(null)
  const { data, error, refetch } = useGet<QuoteEditAnswer>(
    ['quote-edit', id],
    `quotes/${encodeURIComponent(id)}/edit`,
    { enabled: isOpen, gcTime: 0, staleTime: 0 },
  )
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setTitle(null)}
      title={title ?? props.title}
    >
      {error === null ? null : <ErrorState error={error} onRetry={refetch} />}
      {error === null && data === undefined ? <LoadingState lines={3} /> : null}
      {data === undefined ? null : (
        <ActionForm {...props} quote={data} onDone={() => setTitle(props.title)} />
      )}
    </Modal>
  )
}

function ActionForm(props: ActionDialogProps & { quote: QuoteEditAnswer; onDone: () => void }) {
  const { id, seenTotalCents, onClose, action, isDangerous = false, path, done, quote } = props
  const body = props.body === undefined ? {} : props.body(quote)
  const isImpossible = props.isImpossible?.(quote) ?? false
  const act = useMutation({
    mutationFn: () =>
      call<QuoteChangeAnswer>('POST', `quotes/${encodeURIComponent(id)}/${path}`, {
        version: quote.version,
        ...body,
      }),
    onSuccess: async () => {
      props.onDone()
      if (props.after === undefined) onClose()
      notifications.show({ message: done, color: 'harbor' })
      await refreshAll()
    },
    // Another user changed the quote: reload it here and on the page behind.
    onError: (error) => (error instanceof CallError && error.status === 409 ? refreshAll() : undefined),
  })
  const isStale = seenTotalCents !== quote.totalCents
  if (act.isSuccess && props.after !== undefined) {
    return (
      <Stack>
        {props.after}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <Form onSubmit={() => body !== null && !isImpossible && act.mutate()}>
      <Stack>
        {isStale && act.error === null ? (
          <Alert color="yellow">
            This quote changed since you opened the page. The total was{' '}
            {formatMoney(seenTotalCents, quote.currency)} and is now{' '}
            {formatMoney(quote.totalCents, quote.currency)}.
          </Alert>
        ) : null}
        {props.children(quote)}
        <ErrorAlert error={act.error} />
        <FormButtons
          action={action}
          onCancel={onClose}
          isBusy={act.isPending}
          isDisabled={body === null || isImpossible}
          isDangerous={isDangerous}
        />
      </Stack>
    </Form>
  )
}
