/** Booked value of the last months, one currency at a time. */
import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Note } from '../ui/note.ts'
import { bookedSeries } from './booked-series.ts'
import type { DashboardAnswer } from '../../../src/console/dashboard.ts'
import { formatMoney } from '../format.ts'
import { BookedChart, countBookings, formatMonth } from './booked-chart.tsx'

/** With one currency or several. */
export const HEAD_HEIGHT = 30

export function BookedPanel({ booked }: { booked: DashboardAnswer['booked'] }) {
  const all = bookedSeries(booked)
  const [chosen, setChosen] = useState<string | null>(null)
  const [shown, setShown] = useState<number | null>(null)
  const series = all.find(({ currency }) => currency === chosen) ?? all[0]
  return (
    <Stack component="section" className="app-panel" p="lg" gap="sm" aria-labelledby="booked-value">
      <Group justify="space-between" align="flex-start" gap="sm" mih={HEAD_HEIGHT}>
        <Title order={2} id="booked-value">
          Booked value
        </Title>
        {all.length < 2 || series === undefined ? null : (
          <SegmentedControl
            size="xs"
            aria-label="Currency"
            data={all.map(({ currency }) => currency)}
            value={series.currency}
            onChange={setChosen}
          />
        )}
      </Group>
      {series === undefined ? (
        <Note>No bookings in the last {booked.months.length} months.</Note>
      ) : (
        <>
          <Readout series={series} shown={shown} />
          <BookedChart series={series} shown={shown} onShow={setShown} />
        </>
      )}
    </Stack>
  )
}

/** The month that is pointed at, or all of them. */
function Readout({
  series,
  shown,
}: {
  series: ReturnType<typeof bookedSeries>[number]
  shown: number | null
}) {
  const { months, currency } = series
  const month = shown === null ? undefined : months[shown]
  const { totalCents, bookings } = month ?? series
  const isNow = shown === months.length - 1
  return (
    <div>
      <Text className="app-figure dashboard-readout" data-testid="booked-readout">
        {formatMoney(totalCents, currency)}
      </Text>
      <Note>
        {countBookings(bookings)}{' '}
        {month === undefined
          ? `in the last ${months.length} months`
          : `in ${formatMonth(month.month)}${isNow ? ' so far' : ''}`}
      </Note>
    </div>
  )
}
