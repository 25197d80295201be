/** The revisions of a quote that were sent, the customer's link, and what changed between two of them. */
import { Alert, Button, Group, NativeSelect, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { QuoteRevisionsAnswer, RevisionDifferencesAnswer } from '../../../src/console/quote-revisions.ts'
import { REVISIONS_LISTED } from '../../../src/core/list-limits.ts'
import { formatDate, formatDateTime, formatMoney, formatTime } from '../format.ts'
import { Bone, Loading } from '../loading.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Note } from '../ui/note.ts'
import { Older } from '../ui/older.tsx'
import { Panel } from '../ui/panel.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'
import './revisions.css'

export function useRevisions(id: string) {
  return useGet<QuoteRevisionsAnswer>(
    ['quotes', 'revisions', id],
    `quotes/${encodeURIComponent(id)}/revisions`,
  )
}

interface RevisionsProps {
  id: string
  /** Whether it was sent; perhaps by another system, and so without a revision. */
  isSent: boolean
  /** Whether it can be sent again. */
  isOpen: boolean
}

export function Revisions({ id, isSent, isOpen }: RevisionsProps) {
  const { data, error, refetch } = useRevisions(id)
  return (
    <Panel title="Customer page">
      {error === null ? null : <ErrorState error={error} onRetry={refetch} />}
      {data === undefined && error === null ? (
        <Loading label="Loading the revisions">
          <Bone height={36} />
          <Bone height={72} />
        </Loading>
      ) : null}
      {data === undefined ? null : (
        <Sent id={id} answer={data} none={isSent ? describeUnlinked(isOpen) : NOT_SENT} />
      )}
    </Panel>
  )
}

const NOT_SENT =
  'Not sent yet. Send the quote to get a link for the customer, who can then choose options and accept it.'

const describeUnlinked = (isOpen: boolean) =>
  `This quote was sent without a customer page.${isOpen ? ' Send it again to get a link for the customer.' : ''}`

function Sent({
  id,
  answer: { revisions, url, hasChanges, questions },
  none,
}: {
  id: string
  answer: QuoteRevisionsAnswer
  /** Shown without a revision. */
  none: string
}) {
  const [newest] = revisions
  if (newest === undefined || url === null) return <Note>{none}</Note>
  return (
    <>
      {hasChanges ? (
        <Alert color="yellow">
          Draft has changes since revision {newest.revision}. The customer sees them after you send the quote
          again.
        </Alert>
      ) : null}
      <CustomerLink url={url} />
      <Scrolled label="Revisions">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Revision</Table.Th>
              <Table.Th>Sent</Table.Th>
              <Table.Th>Viewed</Table.Th>
              <Table.Th>Accepted</Table.Th>
              <Table.Th className="revision-total">Total</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {revisions.map(
              ({
                revision,
                sentAt,
                viewedAt,
                acceptedAt,
                acceptedName,
                canceledAt,
                totalCents,
                currency,
              }) => (
                <Table.Tr key={revision}>
                  <Table.Td>{revision}</Table.Td>
                  <Moment at={sentAt} />
                  <Moment at={viewedAt} />
                  <Moment
                    at={acceptedAt}
                    note={`by ${acceptedName ?? ''}${canceledAt === null ? '' : ' (canceled)'}`}
                  />
                  <Table.Td className="revision-total">{formatMoney(totalCents, currency)}</Table.Td>
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
        </Table>
      </Scrolled>
      {revisions.length < REVISIONS_LISTED ? null : <Older what="revisions" count={REVISIONS_LISTED} />}
      {revisions.length > 1 ? <Compare id={id} numbers={revisions.map(({ revision }) => revision)} /> : null}
      <Questions questions={questions} />
    </>
  )
}

function Moment({ at, note }: { at: string | null; note?: string }) {
  if (at === null) return <Table.Td>Not yet</Table.Td>
  return (
    <Table.Td className="revision-moment">
      <span className="revision-date">{formatDate(at)}</span>
      <Text size="xs" c="dimmed">
        {formatTime(at)} {note}
      </Text>
    </Table.Td>
  )
}

/** Wide tables scroll on phones, also with the keyboard. */
function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="revision-scroll" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

export function CustomerLink({ url }: { url: string }) {
  return (
    <Stack gap="xs">
      <pre className="app-code" aria-label="Link for the customer">
        {url}
      </pre>
      <Group gap="xs">
        <CopyButton text={url} label="Copy link" />
        <Button variant="default" size="xs" component="a" href={url} target="_blank" rel="noreferrer">
          Open customer page
        </Button>
      </Group>
    </Stack>
  )
}

function Questions({ questions }: Pick<QuoteRevisionsAnswer, 'questions'>) {
  if (questions.length === 0) return null
  return (
    <Stack gap="sm">
      <Title order={3}>Messages from the customer</Title>
      {questions.map(({ id, createdAt, kind, name, text }) => (
        <div key={id} className="revision-question">
          <Note>
            {kind === 'DECLINE' ? 'Declined' : 'Question'} · {name ?? 'Customer'} ·{' '}
            {formatDateTime(createdAt)}
          </Note>
          <Text className="revision-text">{text}</Text>
        </div>
      ))}
      {questions.length < REVISIONS_LISTED ? null : <Older what="messages" count={REVISIONS_LISTED} />}
    </Stack>
  )
}

/** Two revisions, by default the newest and the one before. */
function Compare({ id, numbers }: { id: string; numbers: readonly number[] }) {
  const [from, setFrom] = useState(String(numbers[1]))
  const [to, setTo] = useState(String(numbers[0]))
  const { data, error, refetch } = useGet<RevisionDifferencesAnswer>(
    ['quotes', 'differences', id, from, to],
    `quotes/${encodeURIComponent(id)}/differences?from=${from}&to=${to}`,
  )
  const choices = numbers.map((number) => ({ value: String(number), label: `Revision ${number}` }))
  return (
    <Stack gap="sm">
      <Title order={3}>Differences</Title>
      <Group gap="sm">
        <NativeSelect
          label="From"
          data={choices}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <NativeSelect
          label="To"
          data={choices}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Group>
      {error === null ? null : <ErrorState error={error} onRetry={refetch} />}
      {data === undefined && error === null ? <Bone height={72} /> : null}
      {data === undefined ? null : <Differences differences={data.differences} from={from} to={to} />}
    </Stack>
  )
}

function Differences({ differences, from, to }: RevisionDifferencesAnswer & { from: string; to: string }) {
  if (differences.length === 0) {
    return <Note>No differences.</Note>
  }
  return (
    <Scrolled label="Changed values">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Changed</Table.Th>
            <Table.Th>Revision {from}</Table.Th>
            <Table.Th>Revision {to}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ part, label, before, after }) => (
            // Two lines can have the same label.
            <Table.Tr key={JSON.stringify([part, label, before, after])}>
              <Table.Td>
                {label}
                <Text size="xs" c="dimmed">
                  {part}
                </Text>
              </Table.Td>
              <Table.Td className="revision-text">{before ?? '–'}</Table.Td>
              <Table.Td className="revision-text">{after ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrolled>
  )
}
