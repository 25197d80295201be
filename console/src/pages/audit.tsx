/** The audit log: every change in the company, with users, keys, settings and sign-ins. */
import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import type { Activity } from '../../../src/core/change-log/activity.ts'
import type { ActivityAnswer } from '../../../src/console/activity.ts'
import { ActivityList } from '../activity/activity-list.tsx'
import { AuditFilters, auditQuery } from '../activity/audit-filters.tsx'
import { activityCsv } from '../activity/csv.ts'
import { useAddressParams } from '../address-params.ts'
import { get } from '../call.ts'
import { formatNumber } from '../format.ts'
import { forAdministrators } from '../settings/for-administrators.tsx'
import { notifyFailure } from '../ui/notify.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Paging } from '../ui/paging.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default forAdministrators('Audit log', AuditLog)

function AuditLog() {
  const { params, set, isDrawn } = useAddressParams()
  const query = auditQuery(params).toString()
  const { data, error, refetch, isFetching, isPlaceholderData } = useGet<ActivityAnswer>(
    ['activity', query],
    `activity?${query}`,
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  return (
    <>
      <PageHeader
        title="Audit log"
        subtitle="Who changed what, newest first."
        actions={<ExportButton params={params} isEmpty={data?.entries.length === 0} />}
      />
      <Stack gap="md" className="app-wide">
        <AuditFilters />
        {error !== null ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <div className="app-panel activity-panel">
            <LoadingState lines={8} label="Loading the audit log" />
          </div>
        ) : (
          <div
            className={isPlaceholderData ? 'app-panel activity-panel is-old' : 'app-panel activity-panel'}
            aria-busy={isFetching}
          >
            {data.entries.length === 0 ? (
              <EmptyState title="Nothing here">Change or clear the filters.</EmptyState>
            ) : (
              <ActivityList entries={data.entries} withSubject />
            )}
            <Paging
              isFirst={!params.has('after')}
              hasMore={data.hasMore}
              isOld={isPlaceholderData}
              isDrawn={isDrawn}
              onFirst={() => set('after', null)}
              onMore={() => set('after', data.entries.at(-1)?.id)}
            />
          </div>
        )}
        <Text size="xs" c="dimmed" maw={720}>
          Entries are kept for 90 days, unless your operator has set another time.
        </Text>
      </Stack>
    </>
  )
}

const EXPORT_MAX = 10_000

/** Exports everything that matches the filters, not only the page that is shown. */
function ExportButton({ params, isEmpty }: { params: URLSearchParams; isEmpty: boolean }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const entries = await readAll(params)
      download(activityCsv(entries))
      return entries.length
    },
    onSuccess: (count) =>
      notifications.show({
        message:
          count < EXPORT_MAX
            ? `Exported ${formatNumber(count)} entries.`
            : `Exported the latest ${formatNumber(count)} entries. Choose fewer days to export the rest.`,
      }),
    onError: notifyFailure('Could not export'),
  })
  return (
    <Button variant="default" loading={isPending} disabled={isEmpty} onClick={() => mutate()}>
      Export CSV
    </Button>
  )
}

async function readAll(params: URLSearchParams): Promise<Activity[]> {
  const query = auditQuery(params)
  query.delete('after')
  const entries: Activity[] = []
  for (;;) {
    const page = await get<ActivityAnswer>(`activity?${query}`)
    entries.push(...page.entries)
    const last = page.entries.at(-1)
    if (!page.hasMore || last === undefined || entries.length >= EXPORT_MAX)
      return entries.slice(0, EXPORT_MAX)
    query.set('after', last.id)
  }
}

function download(text: string): void {
  const link = document.createElement('a')
  // The byte order mark makes spreadsheets read UTF-8.
  link.href = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }))
  link.download = 'audit-log.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}
