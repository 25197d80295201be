/** The company at a glance: quotes by state, booked value, upcoming events, overdue tasks and invoices. */
import { Button, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { DashboardAnswer } from '../../../src/console/dashboard.ts'
import { BookedPanel } from '../dashboard/booked-panel.tsx'
import { DashboardSkeleton } from '../dashboard/dashboard-skeleton.tsx'
import '../dashboard/dashboard.css'
import { OverdueInvoices, OverdueTasks, UpcomingEvents } from '../dashboard/lists.tsx'
import { REFRESH_MS } from '../dashboard/rest.tsx'
import { Onboarding, isOnboarded } from '../dashboard/onboarding.tsx'
import { StateTiles } from '../dashboard/state-tiles.tsx'
import { useSession } from '../session.ts'
import { Loaded } from '../ui/loaded.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyPanel } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default function Dashboard() {
  const query = useGet<DashboardAnswer>(['dashboard'], 'dashboard', { refetchInterval: REFRESH_MS })
  return (
    <>
      <PageHeader title="Dashboard" />
      <Loaded query={query} skeleton={<DashboardSkeleton />}>
        {(data) => <Content data={data} />}
      </Loaded>
    </>
  )
}

/** First steps are for administrators: some of them are closed to members. */
function Content({ data }: { data: DashboardAnswer }) {
  const { user } = useSession()
  const showsSteps = user.role === 'ADMIN' && !isOnboarded(data.onboarding)
  return (
    <Stack gap="lg">
      {showsSteps ? <Onboarding steps={data.onboarding} /> : null}
      {isNew(data) ? showsSteps ? null : <NewCompany /> : <Figures data={data} />}
    </Stack>
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
  return (
    <EmptyPanel
      title="No quotes yet"
      action={
        <Button component={Link} to="/quotes/new" mt="sm">
          New quote
        </Button>
      }
    >
      Quotes, bookings, events and invoices appear here as you create them.
    </EmptyPanel>
  )
}
