/** The state of the agenda in its URL, and its events by day. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import {
  isWithin,
  listDays,
  monthPeriodOf,
  movePeriod,
  parsePeriod,
  weekOf,
  weeksAround,
} from '../../../src/core/schedule/agenda.ts'
import type { DayRange, Period } from '../../../src/core/schedule/agenda.ts'
import type { AgendaAnswer, AgendaEvent, PlacesAnswer } from '../../../src/console/events.ts'
import { useAddressParams } from '../address-params.ts'
import { get, queryClient } from '../call.ts'
import { useGet } from '../use-get.ts'
import { clockAt, firstWeekday, knownZone, readerZone, today } from './calendar.ts'

export interface AgendaPlace {
  period: Period
  locationId: string | null
  /** From the period that the address names, which may be another than the one that is drawn. */
  goTo: (next: (period: Period) => Period) => void
  chooseLocation: (id: string | null) => void
}

export function useAgendaPlace(): AgendaPlace {
  const { params, change, set } = useAddressParams()
  const named = params.get('period')
  const period = useMemo(() => readPeriod(named), [named])
  return {
    period,
    locationId: params.get('location'),
    goTo: (next) =>
      change((now) => {
        now.set('period', next(readPeriod(now.get('period'))).name)
        return now
      }),
    chooseLocation: (id) => set('location', id),
  }
}

const readPeriod = (name: string | null): Period => parsePeriod(name ?? '') ?? weekOf(today(), firstWeekday())

/** The period of the other view that contains today, if the current one does; otherwise the one with its first day. */
export function inView(view: Period['view'], period: Period): Period {
  if (view === period.view) return period
  const day = isWithin(today(), period) ? today() : period.first
  return view === 'month' ? monthPeriodOf(day) : weekOf(day, firstWeekday())
}

export const currentPeriod = (view: Period['view']): Period =>
  view === 'month' ? monthPeriodOf(today()) : weekOf(today(), firstWeekday())

/** A month is shown with the whole weeks of its first and last day, so that its sheet has no empty cells. */
export const shownDays = (period: Period): DayRange =>
  period.view === 'month' ? weeksAround(period, firstWeekday()) : period

function agendaQuery(period: Period, locationId: string | null) {
  const { first, last } = shownDays(period)
  const query = new URLSearchParams({ from: first, to: last, timeZone: readerZone })
  if (locationId !== null) query.set('locationId', locationId)
  return {
    queryKey: ['agenda', first, last, locationId],
    queryFn: () => get<AgendaAnswer>(`agenda?${query.toString()}`),
    staleTime: 15_000,
  }
}

export function useAgenda({ period, locationId }: Pick<AgendaPlace, 'period' | 'locationId'>) {
  const result = useQuery(agendaQuery(period, locationId))
  const isLoaded = result.isSuccess
  // The neighbors, so that turning the page takes no time.
  useEffect(() => {
    if (!isLoaded) return
    for (const by of [1, -1]) void queryClient.prefetchQuery(agendaQuery(movePeriod(period, by), locationId))
  }, [isLoaded, period, locationId])
  return result
}

export function usePlaces() {
  return useGet<PlacesAnswer>(['places'], 'agenda/places', {
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  })
}

/** Events that began before this day first, then by their local time. */
function inOrderOf(day: string, events: readonly AgendaEvent[]): AgendaEvent[] {
  const keyed = events.map((event) => ({ event, key: event.days.first < day ? '' : clockAt(event) }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ event }) => event)
}

/** Each event on every day on which it lies. */
export function groupByDay(events: readonly AgendaEvent[], shown: DayRange): Map<string, AgendaEvent[]> {
  const byDay = new Map<string, AgendaEvent[]>(listDays(shown).map((day) => [day, []]))
  for (const event of events) {
    const known = { ...event, timeZone: knownZone(event.timeZone) }
    for (const day of listDays(cut(event.days, shown))) byDay.get(day)?.push(known)
  }
  for (const [day, those] of byDay) byDay.set(day, inOrderOf(day, those))
  return byDay
}

function cut(days: DayRange, { first, last }: DayRange): DayRange {
  return {
    first: days.first > first ? days.first : first,
    last: days.last < last ? days.last : last,
  }
}
