/** The company at a glance: quotes by state, booked value, what comes next, what is overdue. */
import { Button, Code, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { DashboardAnswer } from '../../../src/http/console/dashboard.ts'
import { get } from '../call.ts'
import { BookedPanel } from '../dashboard/booked-panel.tsx'
import '../dashboard/dashboard.css'
import { OverdueInvoices, OverdueTasks, UpcomingEvents } from '../dashboard/lists.tsx'
import { REFRESH_MS } from '../dashboard/rest.tsx'
import { StateTiles } from '../dashboard/state-tiles.tsx'
import { useSession } from '../session.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'

export default function Dashboard() {
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard'],
    queryFn: () => get<DashboardAnswer>('dashboard'),
    refetchInterval: REFRESH_MS,
  })
  return (
    <>
      <PageHeader title="Dashboard" />
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : isNew(data) ? (
        <NewCompany />
      ) : (
        <Figures data={data} />
      )}
    </>
  )
}

function Figures({ data }: { data: DashboardAnswer }) {
  return (
    <Stack gap="lg">
      <StateTiles quotes={data.quotes} />
      <BookedPanel booked={data.booked} />
      <UpcomingEvents events={data.upcomingEvents} />
      <div className="dashboard-lists">
        <OverdueTasks tasks={data.overdueTasks} />
        <OverdueInvoices invoices={data.overdueInvoices} />
      </div>
    </Stack>
  )
}

/** In the places of what is coming, so that nothing jumps. */
function Loading() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading" aria-busy="true">
      <Skeleton className="dashboard-skeleton-states" radius="lg" />
      <Skeleton height={364} radius="lg" />
      <div className="dashboard-lists">
        <Skeleton height={280} radius="lg" />
        <Skeleton height={280} radius="lg" />
      </div>
    </Stack>
  )
}

/** Nothing of what is shown here has ever been there. */
function isNew({ quotes, booked, upcomingEvents, overdueTasks, overdueInvoices }: DashboardAnswer): boolean {
  const count = Object.values(quotes).reduce((sum, one) => sum + one, 0)
  const rest = [booked.values, upcomingEvents, overdueTasks.first, overdueInvoices.first]
  return count === 0 && rest.every(({ length }) => length === 0)
}

function NewCompany() {
  const { user } = useSession()
  return (
    <div className="app-panel">
      <EmptyState
        title="No quotes yet"
        action={
          user.role === 'ADMIN' ? (
            <Button component={Link} to={CONSOLE_PAGES.settings} variant="default" mt="sm">
              Set up the API
            </Button>
          ) : undefined
        }
      >
        Bring them in with <Code>npx quoting import FILE</Code>. Quotes, bookings, events and invoices are
        counted here as soon as they are there.
      </EmptyState>
    </div>
  )
}
