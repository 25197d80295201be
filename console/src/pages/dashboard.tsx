/** The company at a glance: quotes by state, booked value, upcoming events, overdue tasks and invoices. */
import { Button, Code, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { DashboardAnswer } from '../../../src/console/dashboard.ts'
import { get } from '../call.ts'
import { BookedPanel } from '../dashboard/booked-panel.tsx'
import { DashboardSkeleton } from '../dashboard/dashboard-skeleton.tsx'
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
          <DashboardSkeleton />
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

/** The company has no data yet. */
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
        Import your data with <Code>npx quoting import FILE</Code>. Your quotes, bookings, events and invoices
        then appear here.
      </EmptyState>
    </div>
  )
}
