/** The request log: what programs asked with the company's keys, and what became of it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import {
  KEPT_PER_SECOND,
  LOG_LATEST,
  LOG_MAX_DAYS,
  LOG_OLDER_MINUTES,
} from '../../../src/core/log-allowance.ts'
import type { RequestLogAnswer } from '../../../src/http/console/request-log.ts'
import { useAddressParams } from '../address-params.ts'
import { get } from '../call.ts'
import { formatNumber } from '../format.ts'
import { ForAdministrators } from '../settings/for-administrators.tsx'
import { FILTERS, RequestFilters } from '../settings/request-filters.tsx'
import { RequestTable } from '../settings/request-table.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { RightIcon } from '../ui/icons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'

export default function RequestLog() {
  return (
    <ForAdministrators title="Request log">
      <Log />
    </ForAdministrators>
  )
}

function Log() {
  const { params, change, isDrawn } = useAddressParams()
  const query = new URLSearchParams(
    [...FILTERS, 'before'].flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])),
  ).toString()
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['request-log', query],
    queryFn: () => get<RequestLogAnswer>(`request-log?${query}`),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const showFrom = (before: string | null) =>
    change((next) => {
      if (before === null) next.delete('before')
      else next.set('before', before)
      return next
    })
  return (
    <>
      <PageHeader
        title="Request log"
        subtitle={`What was asked with your keys in the last ${LOG_MAX_DAYS} days.`}
        actions={
          <Button variant="default" onClick={() => void refetch()} loading={isFetching && !isPlaceholderData}>
            Refresh
          </Button>
        }
      />
      <SettingsTabs />
      <Stack gap="md">
        <RequestFilters />
        {error !== null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <LoadingState lines={10} />
        ) : (
          <Stack
            className={isPlaceholderData ? 'app-panel is-old' : 'app-panel'}
            p={{ base: 'md', sm: 'lg' }}
            gap="md"
            aria-busy={isFetching}
          >
            {data.requests.length === 0 ? (
              <Nothing isFiltered={query !== ''} />
            ) : (
              <RequestTable requests={data.requests} />
            )}
            <Paging
              isFirst={!params.has('before')}
              hasMore={data.before !== null}
              isOld={isPlaceholderData}
              onFirst={() => showFrom(null)}
              // Where what is shown ends says nothing about what was asked for since.
              onMore={() => (isPlaceholderData || !isDrawn() ? undefined : showFrom(data.before))}
            />
          </Stack>
        )}
        <Text size="xs" c="dimmed" maw={720}>
          Entries appear about a second after the answer, never with a body or a key. The latest{' '}
          {formatNumber(LOG_LATEST)} requests that succeeded and the latest {formatNumber(LOG_LATEST)} that
          failed are here; of older ones, one of each kind for every {LOG_OLDER_MINUTES} minutes, up to{' '}
          {LOG_MAX_DAYS} days back. When more than {KEPT_PER_SECOND.company} requests are made in a second,
          some are left out, first those that succeed.
        </Text>
      </Stack>
    </>
  )
}

interface PagingProps {
  isFirst: boolean
  hasMore: boolean
  /** Of what is shown, not of what was asked for since. */
  isOld: boolean
  onFirst: () => void
  onMore: () => void
}

function Paging({ isFirst, hasMore, isOld, onFirst, onMore }: PagingProps) {
  if (isFirst && !hasMore) return null
  return (
    <Group gap="sm" justify="flex-end">
      {isFirst ? null : (
        <Button variant="default" size="xs" onClick={onFirst}>
          Back to the latest
        </Button>
      )}
      {hasMore ? (
        <Button
          variant="default"
          size="xs"
          rightSection={<RightIcon />}
          aria-disabled={isOld}
          onClick={onMore}
        >
          Older
        </Button>
      ) : null}
    </Group>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No request matches">Change the filters, or clear them.</EmptyState>
  ) : (
    <EmptyState
      title="No request yet"
      action={
        <Button component={Link} to={CONSOLE_PAGES.settings} variant="default" mt="sm">
          To the keys
        </Button>
      }
    >
      As soon as a program calls the API with one of your keys, it shows here.
    </EmptyState>
  )
}
