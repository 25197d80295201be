/** The agenda: events by week or month, in the time zone of their location. */
import { Alert } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { listDays } from '../../../src/core/schedule/agenda.ts'
import { AgendaBar } from '../events/agenda-bar.tsx'
import { groupByDay, shownDays, useAgenda, useAgendaPlace } from '../events/agenda.ts'
import type { AgendaPlace } from '../events/agenda.ts'
import { DayList } from '../events/day-list.tsx'
import '../events/marks.css'
import '../events/agenda.css'
import '../events/month-sheet.css'
import { MonthSheet } from '../events/month-sheet.tsx'
import { DayListBones, MonthSheetBones } from '../events/skeletons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyPanel, ErrorState } from '../ui/states.tsx'

export default function Events() {
  const place = useAgendaPlace()
  return (
    <>
      <PageHeader title="Events" subtitle="Times are local to the location of each event." />
      <AgendaBar {...place} />
      <Agenda {...place} />
    </>
  )
}

function Agenda({ period, locationId }: AgendaPlace) {
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const { data, error, refetch } = useAgenda({ period, locationId })
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={refetch} />
    return period.view === 'month' && isWide ? <MonthSheetBones /> : <DayListBones />
  }
  const shown = shownDays(period)
  const byDay = groupByDay(data.events, shown)
  const days = listDays(period)
  const isSheet = period.view === 'month' && isWide
  const isEmpty = days.every((day) => byDay.get(day)?.length === 0)
  // In the list of a month, most days would be empty.
  const listed = period.view === 'month' ? days.filter((day) => byDay.get(day)?.length !== 0) : days
  return (
    <>
      {data.hasMore ? (
        <Alert className="notice-short" mb="md">
          There are too many events to show. The last days are incomplete. Choose a location or the week view.
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
    <EmptyPanel title={`No events this ${view}`}>
      {isFiltered
        ? 'Choose another location, or all locations.'
        : 'When a quote is booked, each of its days appears here as an event.'}
    </EmptyPanel>
  )
}
