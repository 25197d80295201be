/** The days of a quote with their lines. Lines for the whole event come last. */
import { Text, Title } from '@mantine/core'
import type { PriceBreakdown } from '../../../src/core/pricing/price-quote.ts'
import type { QuoteLine, QuotePricing } from '../../../src/core/pricing/quote-pricing.ts'
import type { QuotePageAnswer } from '../../../src/console/quotes.ts'
import { formatMoney, formatNumber, formatTime, zoneNote } from '../format.ts'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { formatDay } from './dates.ts'
import { discountLabel } from './receipt.ts'
import './quote-page.css'
import { KIND_WORDS, lineName } from './words.ts'

type ServiceDay = QuotePageAnswer['serviceDays'][number]

interface Group {
  key: string
  day: ServiceDay | null
  lines: QuoteLine[]
}

function groupLines(days: readonly ServiceDay[], lines: readonly QuoteLine[]): Group[] {
  const groups: Group[] = days.map((day) => ({ key: day.id, day, lines: [] }))
  const byDay = new Map(groups.map((group) => [group.key, group]))
  const rest: Group = { key: '', day: null, lines: [] }
  for (const line of lines) (byDay.get(line.serviceDayId ?? '') ?? rest).lines.push(line)
  return rest.lines.length > 0 ? [...groups, rest] : groups
}

interface DayLinesProps {
  className?: string
  days: readonly ServiceDay[]
  pricing: QuotePricing
  breakdown: PriceBreakdown
  timeZone: string
}

export function DayLines({ className = '', days, pricing, breakdown, timeZone }: DayLinesProps) {
  const groups = groupLines(days, pricing.lines)
  return (
    <Panel title="Days and lines" className={className} gap="lg">
      {groups.length === 0 ? <Text c="dimmed">This quote has no days or lines yet.</Text> : null}
      {groups.map(({ key, day, lines }) => (
        <div key={key}>
          <GroupTitle day={day} hasDays={days.length > 0} timeZone={timeZone} />
          {lines.length === 0 ? (
            <Note>No lines on this day.</Note>
          ) : (
            <ul className="app-list quote-lines">
              {lines.map((line) => (
                <Line key={line.id} line={line} pricing={pricing} breakdown={breakdown} />
              ))}
            </ul>
          )}
        </div>
      ))}
    </Panel>
  )
}

function GroupTitle({
  day,
  hasDays,
  timeZone,
}: {
  day: ServiceDay | null
  hasDays: boolean
  timeZone: string
}) {
  if (day === null) return <Title order={3}>{hasDays ? 'Whole event' : 'Lines'}</Title>
  const { serviceStartTime: start, serviceEndTime: end } = day
  return (
    <div className="quote-day">
      <Title order={3}>{formatDay(start, timeZone)}</Title>
      <Note>
        {formatTime(start, timeZone)} – {formatTime(end, timeZone)} {zoneNote(start, timeZone)}
      </Note>
    </div>
  )
}

function Line({
  line,
  pricing,
  breakdown,
}: { line: QuoteLine } & Pick<DayLinesProps, 'pricing' | 'breakdown'>) {
  const { currency } = pricing
  const figures = breakdown.lines.find(({ id }) => id === line.id)
  const name = lineName(line)
  const facts = [
    KIND_WORDS[line.kind],
    quantityOf(line, currency),
    line.taxable ? '' : 'not taxed',
    optionWords(line),
  ]
  return (
    <li className={figures === undefined ? 'is-not-counted' : undefined}>
      <div>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        {line.description === null || line.description === name ? null : (
          <Text size="sm">{line.description}</Text>
        )}
        <Text size="xs" c="dimmed">
          {facts.filter((fact) => fact !== '').join(' · ')}
        </Text>
        {line.discount === null ? null : (
          <Text size="xs" c="dimmed">
            {discountLabel(line.discount, currency)}
          </Text>
        )}
      </div>
      <div className="quote-line-price">
        {figures === undefined ? (
          <>
            <Text size="sm" className="app-figure">
              <s>{formatMoney(line.priceCents, currency)}</s>
            </Text>
            <Text size="xs" c="dimmed">
              {line.selected ? 'not counted' : 'not in the total'}
            </Text>
          </>
        ) : (
          <>
            <Text size="sm" className="app-figure">
              {formatMoney(figures.grossCents, currency)}
            </Text>
            {figures.lineDiscountCents > 0 ? (
              <Text size="xs" c="dimmed" className="app-figure">
                −{formatMoney(figures.lineDiscountCents, currency)}
              </Text>
            ) : null}
          </>
        )}
      </div>
    </li>
  )
}

function optionWords({ optional, optionGroup }: QuoteLine): string {
  if (optionGroup !== null) return `alternative: ${optionGroup}`
  return optional ? 'optional' : ''
}

/** `3 × $600.00`; empty for one unit without a unit price. The stored price counts, so a different one is marked. */
function quantityOf({ quantity, unitPriceCents, priceCents }: QuoteLine, currency: string): string {
  const count = Number(quantity)
  if (unitPriceCents === null) return count === 1 ? '' : `${formatNumber(count)} ×`
  const product = `${formatNumber(count)} × ${formatMoney(unitPriceCents, currency)}`
  return Math.abs(count * unitPriceCents - priceCents) < 1 ? product : `${product}, custom price`
}
