/** The list of one kind of record. Search, order and filters are in the URL. */
import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import type { RecordListAnswer } from '../../../src/console/records.ts'
import { IMPORT_PATHS, RECORD_PAGES } from '../../../src/core/record-kinds.ts'
import { useAddressParams } from '../address-params.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyPanel, ErrorState } from '../ui/states.tsx'
import { AreaTabs } from './area-tabs.tsx'
import type { KindView } from './kind-view.ts'
import { ListFilters } from './list-filters.tsx'
import { useRecords } from './queries.ts'
import { RecordTable, RecordTableSkeleton } from './record-table.tsx'

const PARAMS = ['search', 'sort', 'archived', 'after', 'category', 'locationId', 'status']

/** The parameters of the list, without others of the URL. */
function queryOf(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    PARAMS.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? '']] : [])),
  )
}

export function RecordListPage({ view }: { view: KindView }) {
  const address = useAddressParams()
  const query = queryOf(address.params)
  const { data, error, refetch, isPlaceholderData } = useRecords(view.path, query.toString())
  const page = RECORD_PAGES[view.path]
  return (
    <>
      <PageHeader
        title={view.title}
        subtitle={view.about}
        actions={
          <Actions view={view} query={query} isEmpty={data?.records.length === 0 && !query.has('after')} />
        }
      />
      <AreaTabs />
      <ListFilters view={view} {...address} />
      {error !== null ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <RecordTableSkeleton view={view} />
      ) : data.records.length === 0 ? (
        <Nothing view={view} params={query} />
      ) : (
        <div className={isPlaceholderData ? 'is-old' : ''} aria-busy={isPlaceholderData}>
          <RecordTable view={view} records={data.records} />
          <Pages data={data} query={query} page={page} isOld={isPlaceholderData} />
        </div>
      )}
    </>
  )
}

function Actions({ view, query, isEmpty }: { view: KindView; query: URLSearchParams; isEmpty: boolean }) {
  const page = RECORD_PAGES[view.path]
  const exported = new URLSearchParams(query)
  exported.delete('after')
  const canImport = (IMPORT_PATHS as readonly string[]).includes(view.path)
  return (
    <>
      {isEmpty ? null : (
        <Button
          component="a"
          variant="default"
          // Relative to the base of the page, and not a page of the application.
          href={new URL(`console/${view.path}/export?${exported.toString()}`, document.baseURI).href}
          download={`${view.path}.csv`}
        >
          Export CSV
        </Button>
      )}
      {canImport ? (
        <Button component={Link} to={`${page}/import`} variant="default">
          Import CSV
        </Button>
      ) : null}
      <NewButton view={view} />
    </>
  )
}

const NewButton = ({ view }: { view: KindView }) => (
  <Button component={Link} to={`${RECORD_PAGES[view.path]}/new`} leftSection={<PlusIcon />}>
    New {view.noun}
  </Button>
)

function Nothing({ view, params }: { view: KindView; params: URLSearchParams }) {
  const page = RECORD_PAGES[view.path]
  // Before the filters: the last record of this page may have been archived.
  if (params.has('after'))
    return (
      <EmptyPanel title={`No more ${view.plural}`} action={<FirstPageButton page={page} query={params} />}>
        You are past the last page.
      </EmptyPanel>
    )
  const isFiltered = PARAMS.some((name) => name !== 'sort' && params.has(name))
  if (!isFiltered)
    return (
      <EmptyPanel title={`No ${view.plural} yet`} action={<NewButton view={view} />}>
        {view.empty}
      </EmptyPanel>
    )
  const clear = (
    <Button component={Link} to={page} variant="default" mt="xs">
      {params.get('archived') === 'yes' && [...params.keys()].length === 1
        ? `Show current ${view.plural}`
        : 'Clear filters'}
    </Button>
  )
  return (
    <EmptyPanel title={`No matching ${view.plural}`} action={clear}>
      {params.get('archived') === 'yes'
        ? `Archived ${view.plural} appear here.`
        : 'Try fewer filters or a different search.'}
    </EmptyPanel>
  )
}

/** The same filters and order, after that record. Null: from the beginning. */
function pathAfter(page: string, query: URLSearchParams, after: string | null): string {
  const next = new URLSearchParams(query)
  if (after === null) next.delete('after')
  else next.set('after', after)
  return `${page}?${next.toString()}`
}

const FirstPageButton = ({ page, query }: { page: string; query: URLSearchParams }) => (
  <Button component={Link} to={pathAfter(page, query, null)} variant="default">
    First page
  </Button>
)

interface PagesProps {
  data: RecordListAnswer
  query: URLSearchParams
  page: string
  isOld: boolean
}

function Pages({ data: { records, hasMore }, query, page, isOld }: PagesProps) {
  if (!hasMore && !query.has('after')) return null
  return (
    <Group component="nav" aria-label="Pages" justify="space-between" mt="md">
      {query.has('after') ? <FirstPageButton page={page} query={query} /> : <span />}
      {hasMore ? (
        <Button
          component={Link}
          to={pathAfter(page, query, records.at(-1)?.id ?? null)}
          variant="default"
          aria-disabled={isOld}
          onClick={(event) => isOld && event.preventDefault()}
        >
          Next
        </Button>
      ) : null}
    </Group>
  )
}
