/** The state of the editor: the stored quote, the draft, its price, and the result of saving. */
import { useMutation } from '@tanstack/react-query'
import { useCallback, useMemo, useReducer, useState } from 'react'
import { priceQuote } from '../../../src/core/pricing/price-quote.ts'
import type { PriceBreakdown } from '../../../src/core/pricing/price-quote.ts'
import type { QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import { QuoteContent, lineKey, pricingInputOf } from '../../../src/core/quotes/quote-edit.ts'
import type { Catalog, CatalogItem } from '../../../src/core/quotes/quote-edit.ts'
import { withOthers } from '../records/choice-search.ts'
import { focusFirstError } from '../ui/form.tsx'
import { alignDays, listDifferences, rebaseContent } from './quote-rebase.ts'
import type { QuoteChangeAnswer, QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import { CallError, call, get, isVersionConflict } from '../call.ts'
import { changeDraft, draftOf, occasionOf } from './draft.ts'
import type { Draft, DraftAction } from './draft.ts'
import { staleLines } from './draft-lines.ts'
import { readDraft } from './draft-read.ts'
import type { ReadDraft } from './draft-read.ts'
import type { Definition } from './new-definition.tsx'

export const editPath = (id: string) => `quotes/${encodeURIComponent(id)}/edit`

/** Missing in the loaded catalog: made in the editor, or found by a search. */
export type Addition = Definition | { kind: 'service' | 'addon'; definition: CatalogItem }

/** Choices that were found by a search. */
export type FoundChoices = Partial<QuoteChoices>

/** Unsaved edits from before the session ended. */
export interface KeptEdit {
  /** The stored quote that the edits are based on. */
  stored: QuoteEditAnswer
  draft: Draft
  added: Addition[]
  found: FoundChoices[]
}

/** `kept`: unsaved edits from before. */
export function useEditor(loaded: QuoteEditAnswer, kept: KeptEdit | undefined) {
  const [stored, setStored] = useState(kept?.stored ?? loaded)
  const [draft, change] = useReducer(
    changeDraft,
    loaded,
    (quote) => kept?.draft ?? draftOf(quote.content, quote),
  )
  const [added, setAdded] = useState<Addition[]>(kept?.added ?? [])
  const [isRebased, setIsRebased] = useState(false)
  const [hasTried, setHasTried] = useState(false)
  /** Fields whose missing values are marked, after blur or saving. */
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  const visit = useCallback(
    (fields: readonly string[]) => setVisited((before) => new Set([...before, ...fields])),
    [],
  )
  const dispatch = useCallback(
    (action: DraftAction) => {
      change(action)
      if (action.type === 'left') afterClick(() => visit([`${action.key}.${action.field}`]))
    },
    [visit],
  )
  /** An error of the whole quote: too many lines. */
  const [refusal, setRefusal] = useState<string | null>(null)

  const { currency } = stored
  const catalog = useMemo(() => withAdded(stored.catalog, added), [stored, added])
  const read = useMemo(() => readDraft(draft), [draft])
  const occasion = useMemo(() => occasionOf(draft), [draft])
  const { content } = read
  const hasWrong = Object.values(read.problems).some(({ isMissing }) => !isMissing)
  const price = useMemo(
    () => (hasWrong ? null : priceQuote(pricingInputOf(content, catalog, currency))),
    [hasWrong, content, catalog, currency],
  )
  const isDirty = useMemo(
    () =>
      hasWrong || listDifferences({ base: stored.content, mine: content, theirs: stored.content }).length > 0,
    [hasWrong, content, stored],
  )

  const { saving, isSaving, error, theirs, setTheirs } = useSaving(stored)
  const versions = useMemo(
    () =>
      theirs === null
        ? null
        : alignDays({ base: stored, mine: { content, timeZone: draft.timeZone }, theirs }),
    [stored, content, draft.timeZone, theirs],
  )
  const save = (onSaved: (answer: QuoteChangeAnswer) => void) => {
    setHasTried(true)
    visit(Object.keys(read.problems))
    if (Object.keys(read.problems).length > 0) focusFirstError()
    if (isSaving || Object.keys(read.problems).length > 0 || !isDirty) return
    const checked = QuoteContent.safeParse(content)
    setRefusal(checked.error?.issues[0]?.message ?? null)
    if (checked.success) saving.mutate(content, { onSuccess: onSaved })
  }
  /** Continues from the stored version with this content. */
  const goOn = (from: QuoteEditAnswer, next: QuoteContent, timeZone: string | null) => {
    setStored(from)
    setTheirs(null)
    setHasTried(false)
    saving.reset()
    dispatch({ type: 'replaced', draft: draftOf(next, { ...from, timeZone }) })
    scrollTo({ top: 0 })
  }
  return {
    stored,
    draft,
    added,
    dispatch,
    catalog,
    content,
    price,
    occasion,
    stale: useMemo(() => staleLines(draft.lines, occasion, catalog), [draft, occasion, catalog]),
    figures: useMemo(() => figuresByKey(price, read), [price, read]),
    isDirty,
    isRebased,
    isSaving,
    ...messagesOf(read, { hasTried, visited }, refusal, error),
    addToCatalog: (addition: Addition) => setAdded((others) => [...others, addition]),
    save,
    theirs,
    /** While theirs is shown: the versions to compare. */
    versions,
    differences: versions === null ? null : listDifferences(versions),
    applyMine: () => {
      if (theirs === null || versions === null) return
      setIsRebased(true)
      goOn(theirs, rebaseContent(versions), versions.timeZone)
    },
    useTheirs: () => {
      if (theirs === null) return
      setIsRebased(false)
      goOn(theirs, theirs.content, theirs.timeZone)
    },
    closeConflict: () => setTheirs(null),
  }
}

export type EditorState = ReturnType<typeof useEditor>

/** Saves the quote. If someone else saved it first, their version is loaded. */
function useSaving({ id, version }: QuoteEditAnswer) {
  const [theirs, setTheirs] = useState<QuoteEditAnswer | null>(null)
  const reading = useMutation({ mutationFn: () => get<QuoteEditAnswer>(editPath(id)) })
  const saving = useMutation({
    mutationFn: (content: QuoteContent) =>
      call<QuoteChangeAnswer>('PUT', `quotes/${encodeURIComponent(id)}`, { version, content }),
    onError: (error) => {
      if (isVersionConflict(error)) reading.mutate(undefined, { onSuccess: setTheirs })
    },
  })
  return {
    saving,
    /** Until the page of the quote is shown. */
    isSaving: saving.isPending || saving.isSuccess || reading.isPending,
    /** The dialog reports a conflict, unless it has no version to show. */
    error: isVersionConflict(saving.error) ? reading.error : saving.error,
    theirs,
    setTheirs,
  }
}

/** A message moves the content below it, so it waits until the pointer is up. Otherwise the click would miss. */
function afterClick(then: () => void): void {
  if (document.querySelector(':active') === null) then()
  else addEventListener('mouseup', () => setTimeout(then, 0), { once: true })
}

function withAdded(catalog: Catalog, added: readonly Addition[]): Catalog {
  const discounts = added.flatMap((one) => (one.kind === 'discount' ? one.definition : []))
  const charges = added.flatMap((one) => (one.kind === 'serviceCharge' ? one.definition : []))
  const services = added.flatMap((one) => (one.kind === 'service' ? one.definition : []))
  const addons = added.flatMap((one) => (one.kind === 'addon' ? one.definition : []))
  const taxRates = added.flatMap((one) => (one.kind === 'taxRate' ? one.definition : []))
  return {
    services: withOthers(catalog.services, services),
    addons: withOthers(catalog.addons, addons),
    discounts: withOthers(catalog.discounts, discounts),
    serviceCharges: withOthers(catalog.serviceCharges, charges),
    taxRates: withOthers(catalog.taxRates, taxRates),
  }
}

function figuresByKey(
  price: PriceBreakdown | null,
  { content, keys }: ReadDraft,
): ReadonlyMap<string, PriceBreakdown['lines'][number]> {
  const figures = new Map(price?.lines.map((line) => [line.id, line]))
  return new Map(
    content.lines.flatMap((line, index) => {
      const found = figures.get(lineKey(line, index))
      const key = keys[index]
      return found === undefined || key === undefined ? [] : [[key, found] as const]
    }),
  )
}

interface Messages {
  /** By the key of a line or the id of a day: `field\tmessage` in lines. */
  lineErrors: ReadonlyMap<string, string>
  /** Of the fields of the quote itself. */
  errors: Readonly<Record<string, string>>
  /** A general error, or the number of fields to correct. */
  failure: string | null
}

/** Errors to show: invalid values at once, missing ones after the field was left or saved, and those from the server. */
function messagesOf(
  { problems, keys, content }: ReadDraft,
  { hasTried, visited }: { hasTried: boolean; visited: ReadonlySet<string> },
  refusal: string | null,
  error: Error | null,
): Messages {
  const errors: Record<string, string> = {}
  for (const [field, message] of Object.entries(error instanceof CallError ? error.fields : {})) {
    const [, index, name] = /^content\.lines\.(\d+)\.(\w+)$/.exec(field) ?? []
    const [, day] = /^content\.serviceDays\.(\d+)\./.exec(field) ?? []
    if (index !== undefined) errors[`${keys[Number(index)]}.${name}`] = message
    else if (day !== undefined) errors[`${content.serviceDays[Number(day)]?.id}.end`] = message
    else errors[field.replace(/^content\./, '').replace(/\.\d+$/, '')] = message
  }
  const shown = Object.entries(problems).filter(([field, { isMissing }]) => visited.has(field) || !isMissing)
  for (const [field, { message }] of shown) errors[field] = message
  const lineErrors = new Map<string, string>()
  for (const [field, message] of Object.entries(errors)) {
    const dot = field.lastIndexOf('.')
    const [key, name] = [field.slice(0, dot), field.slice(dot + 1)]
    if (dot !== -1) lineErrors.set(key, `${lineErrors.get(key) ?? ''}${name}\t${message}\n`)
  }
  const open = hasTried ? shown.length : 0
  const toCorrect = `Fix ${open === 1 ? 'the marked field' : `the ${open} marked fields`} before you save.`
  return { lineErrors, errors, failure: open > 0 ? toCorrect : (error?.message ?? refusal) }
}
