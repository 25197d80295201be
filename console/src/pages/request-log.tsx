/** The request log: API requests made with the company's keys, and their results. */
import { Button, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import {
  KEPT_PER_SECOND,
  LOG_LATEST,
  LOG_MAX_DAYS,
  LOG_OLDER_MINUTES,
} from '../../../src/core/requests/log-allowance.ts'
import type { RequestLogAnswer } from '../../../src/console/request-log.ts'
import { useAddressParams } from '../address-params.ts'
import { formatNumber } from '../format.ts'
import { forAdministrators } from '../settings/for-administrators.tsx'
import { FILTERS, RequestFilters } from '../settings/request-filters.tsx'
import { RequestTable } from '../settings/request-table.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { RequestLogBones } from '../settings/skeletons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Paging } from '../ui/paging.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default forAdministrators('Request log', Log)

function Log() {
  const { params, set, isDrawn } = useAddressParams()
  const query = new URLSearchParams(
    [...FILTERS, 'before'].flatMap((name) => (params.has(name) ? [[name, params.get(name) ?? '']] : [])),
  ).toString()
  const { data, error, refetch, isFetching, isPlaceholderData } = useGet<RequestLogAnswer>(
    ['request-log', query],
    `request-log?${query}`,
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  return (
    <>
      <PageHeader
        title="Request log"
        subtitle={`API requests from the last ${LOG_MAX_DAYS} days.`}
        actions={
          <Button
            variant="default"
            onClick={() => void refetch()}
            loading={isFetching && data !== undefined && !isPlaceholderData}
          >
            Refresh
          </Button>
        }
      />
      <SettingsTabs />
      <Stack gap="md" className="app-wide">
        <RequestFilters />
        {error !== null ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <RequestLogBones />
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
              isDrawn={isDrawn}
              onFirst={() => set('before', null)}
              onMore={() => set('before', data.before)}
            />
          </Stack>
        )}
        <Text size="xs" c="dimmed" maw={720}>
          Requests appear after about a second. Request bodies and API keys are never stored. The log keeps
          the latest {formatNumber(LOG_LATEST)} successful and the latest {formatNumber(LOG_LATEST)} failed
          requests. For older ones it keeps one success and one failure for every {LOG_OLDER_MINUTES} minutes.
          Above {KEPT_PER_SECOND.company} requests per second, some are left out, successful ones first.
        </Text>
      </Stack>
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No matching requests">Change or clear the filters.</EmptyState>
  ) : (
    <EmptyState
      title="No requests yet"
      action={
        <Button component={Link} to={CONSOLE_PAGES.settings} variant="default" mt="sm">
          Manage API keys
        </Button>
      }
    >
      Requests with your API keys appear here.
    </EmptyState>
  )
}
