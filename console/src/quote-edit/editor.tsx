/** The editor of a quote: lines and terms on the left, the live price on the right. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import { formatMoney } from '../format.ts'
import { useSession } from '../session.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import './quote-edit.css'
import './lines.css'
import { findKeptEdit, forgetEdit, keepEdit } from './kept-edits.ts'
import { dayName } from './labels.ts'
import { useLeaveGuard } from './leave-guard.ts'
import type { LeaveGuard } from './leave-guard.ts'
import { LinesPanel } from './lines-panel.tsx'
import { PricePanel } from './price-panel.tsx'
import { TermsPanel } from './terms-panel.tsx'
import { useEditor } from './use-editor.ts'
import type { EditorState, KeptEdit } from './use-editor.ts'

export function Editor({ quote }: { quote: QuoteEditAnswer }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const back = quotePath(quote.id)
  const owner = useOwner()
  const [kept] = useState(() => findKeptEdit(owner, quote.id) as KeptEdit | undefined)
  const editor = useEditor(quote, kept)
  const guard = useLeaveGuard(editor.isDirty)
  useKeeping(owner, editor, guard)
  const save = () =>
    editor.save(({ totalCents }) => {
      guard.release()
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      notifications.show({
        title: 'Quote saved',
        message: `The total is ${formatMoney(totalCents, quote.currency)}.`,
        color: 'harbor',
      })
      void navigate(back)
    })
  useHotkeys([['mod+S', save]], [])
  const discard = () => guard.ask(() => void navigate(back))
  const actions = <SaveActions editor={editor} onSave={save} onDiscard={discard} />
  const names = [quote.client, quote.eventType].filter((name) => name !== null).join(' · ')
  return (
    <>
      <PageHeader
        title="Edit quote"
        subtitle={<span className="edit-about">{names === '' ? quote.eventAddress : names}</span>}
        back={<BackToQuote id={quote.id} />}
      />
      <div className="edit-layout">
        <Stack gap="md" miw={0}>
          {kept === undefined || !editor.isDirty ? null : (
            <Alert color="blue" role="status">
              Your earlier changes are still here. They are not saved yet.
            </Alert>
          )}
          {editor.isRebased ? (
            <Alert color="blue" role="status">
              Your changes are applied to the latest version. Review them, then save.
            </Alert>
          ) : null}
          <LinesPanel
            quote={editor.stored}
            catalogue={editor.catalogue}
            draft={editor.draft}
            errors={editor.lineErrors}
            figures={editor.figures}
            dispatch={editor.dispatch}
          />
          <TermsPanel
            draft={editor.draft}
            catalogue={editor.catalogue}
            errors={editor.errors}
            dispatch={editor.dispatch}
            onCreated={editor.addDefinition}
          />
        </Stack>
        <PricePanel
          price={editor.price}
          storedTotalCents={editor.stored.totalCents}
          currency={quote.currency}
          catalogue={editor.catalogue}
          taxRateId={editor.draft.terms.taxRateId}
        >
          <div className="edit-actions-wide">{actions}</div>
        </PricePanel>
      </div>
      <SaveBar editor={editor}>{actions}</SaveBar>
      <Conflict editor={editor} />
      <LeaveDialog guard={guard} />
    </>
  )
}

const quotePath = (id: string) => `/quotes/${encodeURIComponent(id)}`

export function BackToQuote({ id }: { id: string }) {
  return <BackLink to={quotePath(id)}>Quote</BackLink>
}

function useOwner(): string {
  const { company, user } = useSession()
  return `${company.id} ${user.id}`
}

/** Keeps unsaved edits when the session ends, so that the user finds them after signing in. */
function useKeeping(owner: string, editor: EditorState, guard: LeaveGuard): void {
  const { stored, draft, made, isDirty } = editor
  const latest = useRef({ stored, draft, made, isDirty, guard })
  useEffect(() => {
    latest.current = { stored, draft, made, isDirty, guard }
  })
  const { id } = stored
  useEffect(
    () => () => {
      const { guard: last, isDirty: wasDirty, ...edit } = latest.current
      if (wasDirty && !last.isReleased()) keepEdit(owner, id, edit)
      else forgetEdit(owner, id)
    },
    [owner, id],
  )
}

interface SaveActionsProps {
  editor: EditorState
  onSave: () => void
  onDiscard: () => void
}

function SaveActions({ editor, onSave, onDiscard }: SaveActionsProps) {
  return (
    <Stack gap="xs">
      {editor.failure === null ? null : (
        <Alert color="red" role="alert" p="sm">
          {editor.failure}
        </Alert>
      )}
      <Group gap="sm" grow>
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
        <Button
          onClick={onSave}
          loading={editor.isSaving}
          disabled={!editor.isDirty}
          aria-keyshortcuts="Control+S"
          title="Ctrl+S"
        >
          Save
        </Button>
      </Group>
    </Stack>
  )
}

/** Keeps the total in sight on a phone, where the price panel is far below. */
function SaveBar({ editor, children }: { editor: EditorState; children: ReactNode }) {
  const { price, stored } = editor
  return (
    <div className="edit-bar">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text size="sm" fw={600}>
          Total
        </Text>
        <Text className="app-figure" fw={700}>
          {price === null ? '—' : formatMoney(price.totalCents, stored.currency)}
        </Text>
      </Group>
      {children}
    </div>
  )
}

function Conflict({ editor }: { editor: EditorState }) {
  const { theirs, stored } = editor
  const days = useMemo(
    () => new Map((theirs ?? stored).serviceDays.map((day) => [day.id, dayName(day, stored.timeZone)])),
    [theirs, stored],
  )
  return (
    <ConflictDialog
      differences={editor.differences}
      currency={stored.currency}
      catalogue={theirs === null ? editor.catalogue : mergeNames(editor, theirs)}
      days={days}
      mineCents={editor.price?.totalCents ?? 0}
      theirsCents={theirs?.totalCents ?? 0}
      onUseTheirs={editor.useTheirs}
      onApplyMine={editor.applyMine}
      onClose={editor.closeConflict}
    />
  )
}

function allOf<One extends { id: string }>(a: readonly One[], b: readonly One[]): One[] {
  return [...new Map([...a, ...b].map((one) => [one.id, one])).values()]
}

/** To name what either side has. */
function mergeNames({ catalogue }: EditorState, theirs: QuoteEditAnswer) {
  return {
    services: allOf(catalogue.services, theirs.catalogue.services),
    addons: allOf(catalogue.addons, theirs.catalogue.addons),
    discounts: allOf(catalogue.discounts, theirs.catalogue.discounts),
    serviceCharges: allOf(catalogue.serviceCharges, theirs.catalogue.serviceCharges),
    taxRates: allOf(catalogue.taxRates, theirs.catalogue.taxRates),
  }
}

function LeaveDialog({ guard }: { guard: LeaveGuard }) {
  return (
    <ConfirmDialog
      isOpen={guard.isAsking}
      onClose={guard.stay}
      title="Discard your changes?"
      action="Discard changes"
      onConfirm={guard.leave}
    >
      Your changes to this quote are not saved.
    </ConfirmDialog>
  )
}
