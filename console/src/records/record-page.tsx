/** One record: its values, editing, archiving and restoring. */
import { Alert, Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import type { RecordAnswer, RecordChangeAnswer, StoredRecord } from '../../../src/console/records.ts'
import { RECORD_PAGES } from '../../../src/core/record-kinds.ts'
import { call } from '../call.ts'
import { formatDate } from '../format.ts'
import { LoadingPanels } from '../loading.tsx'
import { useKeptEdit } from '../quote-edit/kept-edits.ts'
import '../quotes/quote-page.css'
import { useSession } from '../session.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Fact, emailLink, phoneLink } from '../ui/facts.tsx'
import { useFocusOnTitle } from '../ui/focus-title.ts'
import { PencilIcon } from '../ui/icons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { ErrorState } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import { fieldText, lineTexts, priceTexts } from './cells.ts'
import { ContactPanels, MergeButton, NewQuoteButton } from './contact-panels.tsx'
import type { Field, KindView } from './kind-view.ts'
import { pageOf, recordName } from './kinds.ts'
import { useRecord, refreshRecords } from './queries.ts'
import { keptName } from './kept-record.ts'
import type { KeptRecord } from './kept-record.ts'
import { RecordForm } from './record-form.tsx'

/** The link back keeps the filters of the list. */
function useBack(view: KindView) {
  const { state } = useLocation()
  const { records = '' } = (state ?? {}) as { records?: string }
  return <BackLink to={`${RECORD_PAGES[view.path]}${records}`}>{view.title}</BackLink>
}

export function NewRecordPage({ view }: { view: KindView }) {
  const navigate = useNavigate()
  const back = useBack(view)
  return (
    <>
      <PageHeader title={`New ${view.noun}`} back={back} />
      <RecordForm
        view={view}
        base={null}
        onSaved={({ record }) => void navigate(pageOf(view.path, record.id), { replace: true })}
        onCancel={() => void navigate(RECORD_PAGES[view.path])}
      />
    </>
  )
}

export function RecordPage({ view }: { view: KindView }) {
  const { id = '' } = useParams()
  const { data, error, refetch } = useRecord(view.path, id)
  const back = useBack(view)
  if (data !== undefined) return <Content key={data.record.id} view={view} answer={data} />
  return (
    <>
      <PageHeader title={view.title} back={back} />
      {error === null ? (
        <LoadingPanels label={`Loading the ${view.noun}`} lines={[view.fields.length]} />
      ) : (
        <ErrorState error={error} onRetry={refetch} />
      )}
    </>
  )
}

function Content({ view, answer }: { view: KindView; answer: RecordAnswer }) {
  useFocusOnTitle()
  const navigate = useNavigate()
  const back = useBack(view)
  const { record } = answer
  const kept = useKeptEdit(keptName(view.path, record.id)) as KeptRecord | undefined
  // The record as it was when editing began: a newer one must not replace it unnoticed.
  const [edited, setEdited] = useState(kept?.base ?? null)
  const isArchived = record.archivedAt !== null
  const finish = ({ record: saved }: RecordChangeAnswer) => {
    setEdited(null)
    if (saved.id !== record.id) void navigate(pageOf(view.path, saved.id), { replace: true })
  }
  const cancel = () => {
    setEdited(null)
    // After a conflict, the page has an old version of the record.
    void refreshRecords()
  }
  return (
    <>
      <PageHeader
        title={recordName(view, record)}
        back={back}
        mark={
          isArchived ? (
            <Status tone="gray" className="record-mark">
              Archived
            </Status>
          ) : null
        }
        actions={
          edited !== null ? undefined : (
            <>
              {view.path === 'contacts' && !isArchived ? (
                <>
                  <NewQuoteButton id={record.id} />
                  <MergeButton record={record} />
                </>
              ) : null}
              <ArchiveButton view={view} record={record} />
              {isArchived ? null : (
                <Button leftSection={<PencilIcon />} onClick={() => setEdited(answer)}>
                  Edit
                </Button>
              )}
            </>
          )
        }
      />
      {edited === null ? (
        <Stack gap="lg">
          {isArchived ? <ArchivedNote view={view} record={record} /> : null}
          <Facts view={view} record={record} />
          {view.path === 'contacts' ? <ContactPanels id={record.id} isArchived={isArchived} /> : null}
        </Stack>
      ) : (
        <RecordForm view={view} base={edited} onSaved={finish} onCancel={cancel} />
      )}
    </>
  )
}

function ArchivedNote({ view, record: { archivedAt } }: { view: KindView; record: StoredRecord }) {
  return (
    <Alert color="gray">
      {`Archived on ${formatDate(archivedAt ?? '')}. It is no longer offered, and stays where it is used. Restore the ${view.noun} to edit it.`}
    </Alert>
  )
}

function ArchiveButton({ view, record }: { view: KindView; record: StoredRecord }) {
  const verb = record.archivedAt === null ? 'archive' : 'restore'
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call<RecordChangeAnswer>('POST', `${view.path}/${encodeURIComponent(record.id)}/${verb}`, {
        updatedAt: record.updatedAt,
      }),
    onSuccess: async () => {
      await refreshRecords()
      notifications.show({
        message: verb === 'archive' ? `Archived the ${view.noun}.` : `Restored the ${view.noun}.`,
      })
    },
    onError: async (error) => {
      await refreshRecords()
      notifications.show({ color: 'red', title: `Could not ${verb} it`, message: error.message })
    },
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      {verb === 'archive' ? 'Archive' : 'Restore'}
    </Button>
  )
}

function Facts({ view, record }: { view: KindView; record: StoredRecord }) {
  const { currency } = useSession().company
  const isCovered = (field: Field) =>
    // The title and the price say these.
    field.name === 'name' || (field.name === 'unit' && (record['prices'] as unknown[]).length > 0)
  const facts = view.fields
    .filter((field) => !isCovered(field))
    .map((field) => ({ field, value: factValue(field, record, currency) }))
    .filter(({ value }) => value !== null && value !== '')
  return (
    <Panel title="Details" gap="sm">
      <dl className="quote-facts record-facts">
        {facts.map(({ field, value }) => (
          <Fact key={field.name} name={field.label}>
            {value}
          </Fact>
        ))}
        <Fact name="Created">{formatDate(record.createdAt)}</Fact>
      </dl>
    </Panel>
  )
}

function factValue(field: Field, record: StoredRecord, currency: string): ReactNode {
  const shown = fieldText(field, record, currency)
  if (field.type === 'email') return emailLink(shown)
  if (field.type === 'phone') return phoneLink(shown)
  if (field.type === 'prices') return <List texts={priceTexts(record)} none="No price yet" />
  if (field.type === 'lines') return <List texts={lineTexts(record, currency)} none="No lines yet" />
  if (field.type === 'url' && isWebUrl(shown))
    return (
      <a className="app-link" href={shown} target="_blank" rel="noreferrer noopener">
        {shown}
      </a>
    )
  return field.type === 'longText' || field.type === 'contract' ? (
    shown === '' ? null : (
      <span className="quote-text">{shown}</span>
    )
  ) : (
    shown
  )
}

/** An import can bring any text, also `javascript:`, which would run as a link. */
const isWebUrl = (text: string) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

function List({ texts, none }: { texts: readonly string[]; none: string }) {
  if (texts.length === 0) return none
  return (
    <ul className="app-list">
      {texts.map((text, i) => (
        // Two lines of a package may be the same.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i}>{text}</li>
      ))}
    </ul>
  )
}
