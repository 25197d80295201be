/** The editor of a quote: lines and terms on the left, the live price on the right. */
import { Alert, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import type { QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import { refreshAll } from '../call.ts'
import { formatMoney } from '../format.ts'
import { BackLink } from '../ui/back-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { LeaveDialog } from '../ui/unsaved.tsx'
import { quoteName } from '../quotes/name.ts'
import { ArchivedBar } from './archived-bar.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DetailsPanel } from './details-panel.tsx'
import './quote-edit.css'
import './lines.css'
import { useKeepEdit, useKeptEdit } from './kept-edits.ts'
import { dayName } from './labels.ts'
import { useLeaveGuard } from './leave-guard.ts'
import { LinesPanel } from './lines-panel.tsx'
import { PricePanel } from './price-panel.tsx'
import { RecalculateBar } from './recalculate-bar.tsx'
import { TermsPanel } from './terms-panel.tsx'
import { SaveActions, SaveBar } from './save-actions.tsx'
import { useEditor } from './use-editor.ts'
import type { EditorState, FoundChoices, KeptEdit } from './use-editor.ts'

export function Editor({ quote }: { quote: QuoteEditAnswer }) {
  const navigate = useNavigate()
  const back = quotePath(quote.id)
  const kept = useKeptEdit(quote.id) as KeptEdit | undefined
  const editor = useEditor(quote, kept)
  const [found, setFound] = useState<FoundChoices[]>(kept?.found ?? [])
  const guard = useLeaveGuard(editor.isDirty)
  const { stored, draft, added, catalog, errors, dispatch, addToCatalog, isDirty } = editor
  const choices = useMemo(() => found.reduce(withChoices, stored.choices), [stored, found])
  useKeepEdit(stored.id, { stored, draft, added, found } satisfies KeptEdit, isDirty, guard)
  const holdFocus = useHeldFocus(editor.isSaving)
  const save = () => {
    holdFocus()
    editor.save(({ totalCents }) => {
      guard.release()
      void refreshAll()
      notifications.show({
        title: 'Quote saved',
        message: `The total is ${formatMoney(totalCents, quote.currency)}.`,
        color: 'harbor',
      })
      void navigate(back)
    })
  }
  useHotkeys([['mod+S', save]], [])
  const discard = () => guard.ask(() => void navigate(back))
  const actions = <SaveActions editor={editor} onSave={save} onDiscard={discard} />
  const names = [quote.client, quote.eventType].filter((name) => name !== null).join(' · ')
  return (
    <>
      <PageHeader
        title={`Edit ${quoteName(quote)}`}
        subtitle={<span className="edit-about">{names === '' ? quote.content.eventAddress : names}</span>}
        back={<BackToQuote id={quote.id} />}
      />
      <div className="edit-layout">
        {/* Text that is typed while the quote is saved would be lost. */}
        <Stack gap="md" miw={0} inert={editor.isSaving}>
          {kept === undefined || !isDirty ? null : (
            <Alert color="blue" role="status">
              Your earlier changes are still here. They are not saved yet.
            </Alert>
          )}
          {editor.isRebased ? (
            <Alert color="blue" role="status">
              Your changes are applied to the latest version. Review them, then save.
            </Alert>
          ) : null}
          <DetailsPanel
            draft={draft}
            choices={choices}
            onFound={(more) => setFound((others) => [...others, more])}
            errors={errors}
            dispatch={dispatch}
          />
          <ArchivedBar draft={draft} catalog={catalog} choices={choices} />
          <RecalculateBar stale={editor.stale} dispatch={dispatch} />
          <LinesPanel
            catalog={catalog}
            packages={stored.choices.packages}
            draft={draft}
            occasion={editor.occasion}
            errors={editor.lineErrors}
            figures={editor.figures}
            dispatch={dispatch}
            onFound={addToCatalog}
          />
          <TermsPanel
            draft={draft}
            catalog={catalog}
            errors={errors}
            dispatch={dispatch}
            onAdded={addToCatalog}
          />
        </Stack>
        <PricePanel
          price={editor.price}
          storedTotalCents={stored.totalCents}
          currency={quote.currency}
          catalog={catalog}
          taxRateId={draft.terms.taxRateId}
        >
          <div className="edit-actions-wide">{actions}</div>
        </PricePanel>
      </div>
      <SaveBar editor={editor}>{actions}</SaveBar>
      <Conflict editor={editor} choices={choices} />
      <LeaveDialog guard={guard} record="this quote" />
    </>
  )
}

/** Fields lose the focus while they are inert. It returns to them if the quote could not be saved. */
function useHeldFocus(isSaving: boolean): () => void {
  const held = useRef<Element | null>(null)
  // Before the dialog of a conflict opens, which returns the focus to where it was.
  useLayoutEffect(() => {
    if (!isSaving && document.activeElement === document.body && held.current instanceof HTMLElement)
      held.current.focus()
    if (!isSaving) held.current = null
  }, [isSaving])
  return () => {
    if (!isSaving) held.current = document.activeElement
  }
}

const quotePath = (id: string) => `/quotes/${encodeURIComponent(id)}`

export function BackToQuote({ id }: { id: string }) {
  return <BackLink to={quotePath(id)}>Quote</BackLink>
}

function Conflict({ editor, choices }: { editor: EditorState; choices: QuoteChoices }) {
  const { theirs, stored, versions } = editor
  const timeZone = versions?.timeZone ?? stored.timeZone
  const days = useMemo(
    () => new Map(versions?.theirs.serviceDays.map((day) => [day.id, dayName(day, timeZone)])),
    [versions, timeZone],
  )
  return (
    <ConflictDialog
      differences={editor.differences}
      currency={stored.currency}
      choices={withChoices(choices, (theirs ?? stored).choices)}
      timeZone={timeZone}
      catalog={theirs === null ? editor.catalog : mergeNames(editor, theirs)}
      days={days}
      mineCents={editor.price?.totalCents ?? 0}
      theirsCents={theirs?.totalCents ?? 0}
      onUseTheirs={editor.useTheirs}
      onApplyMine={editor.applyMine}
      onClose={editor.closeConflict}
    />
  )
}

function allOf<One extends { id: string }>(a: readonly One[], b: readonly One[] = []): readonly One[] {
  if (b.length === 0) return a
  return [...new Map([...a, ...b].map((one) => [one.id, one])).values()]
}

function withChoices(choices: QuoteChoices, more: Partial<QuoteChoices>): QuoteChoices {
  return {
    locations: allOf(choices.locations, more.locations),
    eventTypes: allOf(choices.eventTypes, more.eventTypes),
    paymentTerms: allOf(choices.paymentTerms, more.paymentTerms),
    contracts: allOf(choices.contracts, more.contracts),
    packages: allOf(choices.packages, more.packages),
    contacts: allOf(choices.contacts, more.contacts),
  }
}

/** To name what either side has. */
function mergeNames({ catalog }: EditorState, theirs: QuoteEditAnswer) {
  return {
    services: allOf(catalog.services, theirs.catalog.services),
    addons: allOf(catalog.addons, theirs.catalog.addons),
    discounts: allOf(catalog.discounts, theirs.catalog.discounts),
    serviceCharges: allOf(catalog.serviceCharges, theirs.catalog.serviceCharges),
    taxRates: allOf(catalog.taxRates, theirs.catalog.taxRates),
  }
}
