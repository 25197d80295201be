/** Recipient and subject of the email with which a quote is sent, and a preview of the message. */
import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MailPreviewAnswer, QuoteMailsAnswer } from '../../../src/console/quote-mails.ts'
import { call, errorsOf } from '../call.ts'
import { Fact } from '../ui/facts.tsx'
import { useSession } from '../session.ts'
import { ErrorAlert } from '../ui/states.tsx'
import './mail.css'
import { mailInput } from './quote-mail.ts'
import type { MailDraft } from './quote-mail.ts'

interface MailFieldsProps {
  quoteId: string
  answer: QuoteMailsAnswer
  draft: MailDraft
  onChange: (draft: MailDraft) => void
  /** The other input that the message shows. */
  content: { expiresAt: string | null; message: string | null }
  /** The field of the message. */
  children: ReactNode
}

export function MailFields({ quoteId, answer, draft, onChange, content, children }: MailFieldsProps) {
  const { company } = useSession()
  const mail = mailInput(draft, answer)
  const body = { ...content, mail }
  const preview = useMutation({
    mutationFn: async () => ({
      of: JSON.stringify(body),
      shown: await call<MailPreviewAnswer>(
        'POST',
        `quotes/${encodeURIComponent(quoteId)}/mail-preview`,
        body,
      ),
    }),
  })
  const { fields, failure } = errorsOf(preview.error)
  // A preview of other input would mislead.
  const shown = preview.data?.of === JSON.stringify(body) ? preview.data.shown : undefined
  return (
    <>
      {answer.isMailConfigured ? (
        <Switch
          label="Send by email"
          checked={draft.isOn}
          onChange={(event) => onChange({ ...draft, isOn: event.currentTarget.checked })}
        />
      ) : null}
      {mail === undefined ? null : (
        <>
          <TextInput
            label="To"
            type="email"
            autoComplete="off"
            value={draft.to ?? answer.to ?? ''}
            onChange={(event) => onChange({ ...draft, to: event.currentTarget.value })}
            error={fields['mail.to']}
          />
          <TextInput
            label="Subject"
            placeholder={`Your quote from ${company.name}`}
            maxLength={200}
            value={draft.subject}
            onChange={(event) => onChange({ ...draft, subject: event.currentTarget.value })}
            error={fields['mail.subject']}
          />
        </>
      )}
      {children}
      {mail === undefined ? (
        <Text size="sm">
          {answer.isMailConfigured
            ? 'Nothing is sent.'
            : 'Email is not set up on this server, so nothing is sent.'}{' '}
          The next step shows the link to copy.
        </Text>
      ) : (
        <>
          <ErrorAlert error={failure} />
          {shown === undefined ? null : <Preview shown={shown} />}
          <Group>
            <Button
              variant="default"
              size="xs"
              disabled={mail.to === ''}
              loading={preview.isPending}
              onClick={() => preview.mutate()}
            >
              Preview message
            </Button>
          </Group>
        </>
      )}
    </>
  )
}

function Preview({ shown }: { shown: MailPreviewAnswer }) {
  return (
    <Stack gap="xs" component="section" aria-label="Preview" role="status" className="mail-preview">
      <dl className="mail-head">
        <Fact name="From">{shown.from}</Fact>
        <Fact name="To">{shown.to}</Fact>
        <Fact name="Reply to">{shown.replyTo}</Fact>
        <Fact name="Subject">{shown.subject}</Fact>
      </dl>
      {/* The keyboard can scroll a long message. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="app-code" tabIndex={0} aria-label="Text of the message">
        {shown.text}
      </pre>
    </Stack>
  )
}
