/** The agenda: what takes place when, each event on its day where it takes place. */
import { Alert } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { listDays } from '../../../src/core/agenda.ts'
import { AgendaBar } from '../events/agenda-bar.tsx'
import { groupByDay, shownDays, useAgenda, useAgendaPlace } from '../events/agenda.ts'
import type { AgendaPlace } from '../events/agenda.ts'
import { DayList } from '../events/day-list.tsx'
import '../events/events.css'
import { MonthSheet } from '../events/month-sheet.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'

export default function Events() {
  const place = useAgendaPlace()
  return (
    <>
      <PageHeader title="Events" subtitle="Every event on its day and at its time where it takes place." />
      <AgendaBar {...place} />
      <Agenda {...place} />
    </>
  )
}

function Agenda({ period, locationId }: AgendaPlace) {
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const { data, error, refetch } = useAgenda({ period, locationId })
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
    return <LoadingState lines={7} label="Loading the agenda" />
  }
  const shown = shownDays(period)
  const byDay = groupByDay(data.events, shown)
  const days = listDays(period)
  const isSheet = period.view === 'month' && isWide
  const isEmpty = days.every((day) => byDay.get(day)?.length === 0)
  // A month as a list would be thirty times nothing.
  const listed = period.view === 'month' ? days.filter((day) => byDay.get(day)?.length !== 0) : days
  return (
    <>
      {data.hasMore ? (
        <Alert className="notice-short" variant="light" mb="md">
          There are more events than fit on a page: the last days are not complete. Choose a location, or the
          week.
        </Alert>
      ) : null}
      {isSheet ? <MonthSheet key={period.name} period={period} shown={shown} byDay={byDay} /> : null}
      {isEmpty && !isSheet ? <NothingPlanned view={period.view} isFiltered={locationId !== null} /> : null}
      {isSheet || isEmpty ? null : <DayList days={listed} byDay={byDay} />}
    </>
  )
}

function NothingPlanned({ view, isFiltered }: { view: string; isFiltered: boolean }) {
  return (
    <div className="app-panel">
      <EmptyState title={`Nothing planned this ${view}`}>
        {isFiltered
          ? 'Nothing takes place at this location. Others may have something: choose all locations.'
          : 'Events appear here when a quote is booked: one for each of its service days.'}
      </EmptyState>
    </div>
  )
}
