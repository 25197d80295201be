/** The history of one record: who changed what, and when. */
import { Button, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ActivityAnswer } from '../../../src/console/activity.ts'
import { get } from '../call.ts'
import { Bone, Loading, countTo } from '../loading.tsx'
import { Note } from '../ui/note.ts'
import { ErrorAlert } from '../ui/states.tsx'
import { ActivityList } from './activity-list.tsx'

interface TimelineProps {
  object: 'quote' | 'event' | 'invoice' | 'lead'
  id: string
}

export function Timeline(subject: TimelineProps) {
  return (
    <section className="app-panel activity-panel" aria-labelledby="timeline-title">
      <Title order={2} id="timeline-title" mb="sm">
        History
      </Title>
      <TimelineEntries {...subject} />
    </section>
  )
}

/** The entries, without a panel. */
export function TimelineEntries({ object, id }: TimelineProps) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['timeline', object, id],
    queryFn: ({ pageParam }) => {
      const query = new URLSearchParams({ object, id, ...(pageParam !== null && { after: pageParam }) })
      return get<ActivityAnswer>(`timeline?${query}`)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? (entries.at(-1)?.id ?? null) : null),
  })
  const entries = data?.pages.flatMap((page) => page.entries)
  return (
    <>
      <ErrorAlert error={error} onRetry={refetch} />
      {entries === undefined ? (
        error === null ? (
          <TimelineBones />
        ) : null
      ) : entries.length === 0 ? (
        <Note>No changes yet. Changes appear here.</Note>
      ) : (
        <ActivityList entries={entries} />
      )}
      {hasNextPage ? (
        <Button
          variant="default"
          size="xs"
          mt="md"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older changes
        </Button>
      ) : null}
    </>
  )
}

function TimelineBones() {
  return (
    <Loading label="Loading the history">
      {countTo(2).map((entry) => (
        <Bone key={entry} height={36} />
      ))}
    </Loading>
  )
}
