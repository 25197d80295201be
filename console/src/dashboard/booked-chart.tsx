/** One bar per month. The readout above shows the exact value of the month under the pointer or with focus. */
import { VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { KeyboardEvent } from 'react'
import { useRef, useState } from 'react'
import type { BookedSeries } from './booked-series.ts'
import { bandsOf, barHeight, niceTicks, shownLabels } from './chart-scale.ts'
import { minorDigits } from '../../../src/core/pricing/currencies.ts'
import { formatMoney, formatNumber, locales } from '../format.ts'

const HEIGHT = 232
const TOP = 8
const BOTTOM = 24
const PLOT = HEIGHT - TOP - BOTTOM
const TICKS = 4
/** The width of a digit in the labels of the axis. */
const CHARACTER = 8
const MONTH_LABEL = 38

interface BookedChartProps {
  series: BookedSeries
  /** Index of the month shown in the header, or null. */
  shown: number | null
  onShow: (place: number | null) => void
}

export function BookedChart({ series, shown, onShow }: BookedChartProps) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className="dashboard-chart">
      {width === 0 ? null : <Bars width={width} series={series} shown={shown} onShow={onShow} />}
      <HiddenTable series={series} />
    </div>
  )
}

function Bars({ width, series, shown, onShow }: BookedChartProps & { width: number }) {
  const { months, currency } = series
  const [current, setCurrent] = useState(months.length - 1)
  const bars = useRef<(SVGGElement | null)[]>([])
  const values = months.map(({ totalCents }) => Number(totalCents))
  const ticks = niceTicks(Math.max(...values), TICKS)
  const top = ticks.at(-1) ?? 0
  const tickLabels = ticks.map((tick) => formatTick(tick, currency))
  const left = Math.max(...tickLabels.map(({ length }) => length)) * CHARACTER + 12
  const bands = bandsOf(months.length, width - left)
  const labels = shownLabels(months.length, width - left, MONTH_LABEL)
  const baseline = TOP + PLOT

  const move = (event: KeyboardEvent) => {
    const place = nextPlace(event.key, current, months.length)
    if (place === null) return
    event.preventDefault()
    setCurrent(place)
    bars.current[place]?.focus()
  }
  return (
    <svg
      width={width}
      height={HEIGHT}
      role="group"
      aria-label={`Booked value by month in ${currency}. Use the arrow keys to move between months.`}
      onPointerLeave={() => onShow(null)}
    >
      {ticks.map((tick, i) => {
        const y = baseline - barHeight(tick, top, PLOT)
        return (
          <g key={tick} aria-hidden="true">
            <line x1={left} x2={width} y1={y} y2={y} className="dashboard-gridline" />
            <text x={left - 8} y={y} dy="0.32em" textAnchor="end" className="dashboard-axis">
              {tickLabels[i]}
            </text>
          </g>
        )
      })}
      {months.map((month, i) => {
        const band = bands[i]
        if (band === undefined) return null
        const height = barHeight(values[i] ?? 0, top, PLOT)
        return (
          <g
            key={month.month}
            ref={(element) => {
              bars.current[i] = element
            }}
            role="img"
            aria-label={describeMonth(month, currency)}
            tabIndex={i === current ? 0 : -1}
            className="dashboard-month"
            data-shown={i === shown || undefined}
            onFocus={() => {
              setCurrent(i)
              onShow(i)
            }}
            onBlur={() => onShow(null)}
            onPointerEnter={() => onShow(i)}
            onKeyDown={move}
          >
            <rect
              x={left + band.start}
              y={TOP}
              width={band.width}
              height={PLOT + BOTTOM}
              className="dashboard-band"
            />
            <rect
              x={left + band.barStart}
              y={baseline - height}
              width={band.barWidth}
              height={height}
              className="dashboard-bar"
            />
            {labels[i] === true ? (
              <text
                x={left + band.center}
                y={baseline + 17}
                textAnchor="middle"
                className="dashboard-axis"
                aria-hidden="true"
              >
                {formatMonth(month.month, { month: 'short' })}
              </text>
            ) : null}
          </g>
        )
      })}
    </svg>
  )
}

function nextPlace(key: string, current: number, count: number): number | null {
  const places: Record<string, number> = {
    ArrowLeft: Math.max(0, current - 1),
    ArrowRight: Math.min(count - 1, current + 1),
    Home: 0,
    End: count - 1,
  }
  return places[key] ?? null
}

/** The same for those who do not see bars. */
function HiddenTable({ series: { currency, months } }: { series: BookedSeries }) {
  return (
    <VisuallyHidden>
      <table>
        <caption>Booked value by month in {currency}</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Bookings</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, bookings, totalCents }) => (
            <tr key={month}>
              <th scope="row">{formatMonth(month)}</th>
              <td>{formatNumber(bookings)}</td>
              <td>{formatMoney(totalCents, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}

/** `March 2026`. Months are counted in UTC. */
export function formatMonth(
  month: string,
  options: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric' },
): string {
  return new Intl.DateTimeFormat(locales, { ...options, timeZone: 'UTC' }).format(new Date(`${month}-01`))
}

export const countBookings = (bookings: number) =>
  bookings === 1 ? '1 booking' : `${formatNumber(bookings)} bookings`

function describeMonth({ month, totalCents, bookings }: BookedSeries['months'][number], currency: string) {
  return `${formatMonth(month)}: ${formatMoney(totalCents, currency)}, ${countBookings(bookings)}`
}

/** Round figures, so short ones. */
function formatTick(cents: number, currency: string): string {
  return new Intl.NumberFormat(locales, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(cents / 10 ** minorDigits(currency))
}
