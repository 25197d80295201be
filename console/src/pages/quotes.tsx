/** The table of quotes. */
import { Alert, Button, Group } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { Lookups, QuoteListAnswer } from '../../../src/console/quotes.ts'
import { useAddressParams } from '../address-params.ts'
import { FilterBar } from '../quotes/filter-bar.tsx'
import { isFiltered, pathOf, readFilters, writeFilters } from '../quotes/filters.ts'
import type { Filters } from '../quotes/filters.ts'
import { QuoteTable, QuoteTableSkeleton } from '../quotes/quote-table.tsx'
import '../quotes/quotes.css'
import { useChoiceSearch } from '../records/choice-search.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyPanel, ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default function Quotes() {
  const { params, change, isDrawn } = useAddressParams()
  const filters = readFilters(params)
  const lookups = useGet<Lookups>(['lookups'], 'lookups', { staleTime: 60_000 })
  const locations = useChoiceSearch({
    path: 'locations',
    loaded: lookups.data?.locations,
    value: filters.locationId,
    withArchived: true,
  })
  const zone = locations.choices.find(({ id }) => id === filters.locationId)?.timeZone
  // The days of a location begin by its own clock, which has to be known first.
  const isReady = filters.locationId === null || (lookups.data !== undefined && !locations.isPending)
  const path = pathOf(filters, zone)
  const { data, error, refetch, isPlaceholderData } = useGet<QuoteListAnswer>(
    ['quotes', 'list', path],
    path,
    { placeholderData: keepPreviousData, enabled: isReady },
  )
  const apply = (changes: Partial<Filters>, how: { replace: boolean } = { replace: false }) =>
    change((now) => writeFilters({ ...readFilters(now), after: null, ...changes }), how)
  const problem = error ?? (isReady ? null : lookups.error)
  return (
    <>
      <PageHeader
        title="Quotes"
        subtitle="Newest first. Totals are always current."
        actions={
          <Button component={Link} to={CONSOLE_PAGES.quoteNew} leftSection={<PlusIcon />}>
            New quote
          </Button>
        }
      />
      <FilterBar
        filters={filters}
        locations={locations}
        eventTypes={lookups.data?.eventTypes}
        onChange={apply}
        leadName={data?.quotes[0]?.leadName ?? null}
      />
      {problem === null ? (
        <Results data={data} filters={filters} isOld={isPlaceholderData} isDrawn={isDrawn} />
      ) : (
        <ErrorState error={problem} onRetry={() => void (error === null ? lookups.refetch() : refetch())} />
      )}
    </>
  )
}

interface ResultsProps {
  data: QuoteListAnswer | undefined
  filters: Filters
  /** Results of the previous filters, until the new ones arrive. */
  isOld: boolean
  isDrawn: () => boolean
}

function Results({ data, filters, isOld, isDrawn }: ResultsProps) {
  const { top, turnTo } = usePageTurn(filters.after, isOld)
  if (data === undefined) return <QuoteTableSkeleton />
  if (data.quotes.length === 0) return <Nothing filters={filters} />
  return (
    <>
      {data.isSearchCut ? (
        <Alert color="blue" mb="md">
          Too many customers or quotes match, so some quotes are missing. Add a word to narrow the search.
        </Alert>
      ) : null}
      <div
        ref={top}
        tabIndex={-1}
        role="group"
        aria-label="Quotes on this page"
        aria-busy={isOld}
        className={isOld ? 'quote-results is-old' : 'quote-results'}
      >
        <QuoteTable quotes={data.quotes} />
      </div>
      <Paging data={data} filters={filters} onTurn={turnTo} isOld={isOld} isDrawn={isDrawn} />
    </>
  )
}

/** Turning the page moves focus to its top. */
function usePageTurn(after: string | null, isOld: boolean) {
  const top = useRef<HTMLDivElement>(null)
  const turning = useRef<{ to: string | null } | null>(null)
  useEffect(() => {
    if (isOld || turning.current?.to !== after) return
    turning.current = null
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView()
  }, [after, isOld])
  const turnTo = (to: string | null) => {
    turning.current = { to }
  }
  return { top, turnTo }
}

function Nothing({ filters }: { filters: Filters }) {
  // Before the filters: the last quote of this page may no longer match them.
  if (filters.after !== null)
    return (
      <EmptyPanel
        title="No more quotes"
        action={<EmptyLink to={pathAfter(filters, null)} label="First page" />}
      >
        You are past the last page.
      </EmptyPanel>
    )
  if (isFiltered(filters))
    return (
      <EmptyPanel title="No matching quotes" action={<EmptyLink to="/quotes" label="Clear filters" />}>
        Try fewer filters or a different search.
      </EmptyPanel>
    )
  return (
    <EmptyPanel
      title="No quotes yet"
      action={
        <Button component={Link} to={CONSOLE_PAGES.quoteNew} mt="xs">
          New quote
        </Button>
      }
    >
      Create your first quote, or import quotes from another system.
    </EmptyPanel>
  )
}

function EmptyLink({ to, label }: { to: string; label: string }) {
  return (
    <Button component={Link} to={to} variant="default" mt="xs">
      {label}
    </Button>
  )
}

/** The same filters, after that quote. Null: from the beginning. */
function pathAfter(filters: Filters, after: string | null): string {
  const query = writeFilters({ ...filters, after }).toString()
  return query === '' ? '/quotes' : `/quotes?${query}`
}

interface PagingProps {
  data: QuoteListAnswer
  filters: Filters
  /** To the quotes after that one. */
  onTurn: (after: string | null) => void
  isOld: boolean
  isDrawn: () => boolean
}

function Paging({ data: { quotes, hasMore }, filters, onTurn, isOld, isDrawn }: PagingProps) {
  const last = quotes.at(-1)?.id ?? null
  if (!hasMore && filters.after === null) return null
  return (
    <Group
      component="nav"
      aria-label="Pages"
      justify="space-between"
      mt="md"
      className={isOld ? 'is-old' : ''}
    >
      {filters.after === null ? (
        <span />
      ) : (
        <Button
          component={Link}
          to={pathAfter(filters, null)}
          variant="default"
          onClick={(event) => (isDrawn() ? onTurn(null) : event.preventDefault())}
        >
          First page
        </Button>
      )}
      {hasMore ? (
        <Button
          component={Link}
          // The old results say nothing about where the next page of the new filters begins.
          to={pathAfter(filters, isOld ? filters.after : last)}
          variant="default"
          aria-disabled={isOld}
          onClick={(event) => (!isOld && isDrawn() ? onTurn(last) : event.preventDefault())}
        >
          Next
        </Button>
      ) : null}
    </Group>
  )
}
