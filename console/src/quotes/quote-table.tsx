/** A page of quotes: a table, or cards where there is no room for one. */
import { Skeleton, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useLocation } from 'react-router'
import type { QuoteListItem } from '../../../src/http/console/quotes.ts'
import { formatDate, formatMoney } from '../format.ts'
import './quotes.css'
import { StateBadge } from './state-badge.tsx'

const NARROW = '(max-width: 61.99em)'
const ROWS = 8

function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
}

export function QuoteTable({ quotes }: { quotes: readonly QuoteListItem[] }) {
  return useIsNarrow() ? <Cards quotes={quotes} /> : <Rows quotes={quotes} />
}

function leadName({ leadName: name }: QuoteListItem): string {
  if (name === null) return 'Contact no longer on file'
  return name === '' ? 'Without a name' : name
}

/** All of the row leads there, and from there back to this very table. */
function QuoteLink({ quote }: { quote: QuoteListItem }) {
  const { search } = useLocation()
  return (
    <Link
      to={`/quotes/${encodeURIComponent(quote.id)}`}
      state={{ quotes: search }}
      className="quote-row-link"
    >
      <Broken name={leadName(quote)} />
    </Link>
  )
}

/** An e-mail address in the place of a name is best broken before its host. */
function Broken({ name }: { name: string }) {
  const at = name.lastIndexOf('@')
  if (at <= 0) return name
  return (
    <>
      {name.slice(0, at)}
      <wbr />
      {name.slice(at)}
    </>
  )
}

/** Where the event is, by its clocks. */
function ServiceDay({ quote: { firstDay, dayCount, timeZone } }: { quote: QuoteListItem }) {
  if (firstDay === null)
    return (
      <Text span size="sm" c="dimmed">
        No day yet
      </Text>
    )
  return (
    <>
      <span className="quote-date">{formatDate(firstDay.start, timeZone ?? 'UTC')}</span>{' '}
      {dayCount > 1 ? <span className="quote-more">{dayCount} days</span> : null}
    </>
  )
}

function Rows({ quotes }: { quotes: readonly QuoteListItem[] }) {
  return (
    <div className="app-panel quote-table">
      <Table highlightOnHover aria-label="Quotes">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Contact</Table.Th>
            <Table.Th scope="col">State</Table.Th>
            <Table.Th scope="col">Event type</Table.Th>
            <Table.Th scope="col">Location</Table.Th>
            <Table.Th scope="col">Service day</Table.Th>
            <Table.Th scope="col">Created</Table.Th>
            <Table.Th scope="col" className="is-figure">
              Total
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {quotes.map((quote) => (
            <Table.Tr key={quote.id}>
              <Table.Td className="quote-lead">
                <QuoteLink quote={quote} />
              </Table.Td>
              <Table.Td>
                <StateBadge state={quote.state} />
              </Table.Td>
              <Table.Td className="is-name">{quote.eventTypeName}</Table.Td>
              <Table.Td className="is-name">{quote.locationName}</Table.Td>
              <Table.Td>
                <ServiceDay quote={quote} />
              </Table.Td>
              <Table.Td className="quote-date">{formatDate(quote.createdAt)}</Table.Td>
              <Table.Td className="app-figure is-figure">
                {formatMoney(quote.totalPriceCents, quote.currency)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Cards({ quotes }: { quotes: readonly QuoteListItem[] }) {
  return (
    <ul className="quote-cards" aria-label="Quotes">
      {quotes.map((quote) => (
        <li key={quote.id} className="app-panel">
          <div className="quote-card-head">
            <QuoteLink quote={quote} />
            <span className="app-figure">{formatMoney(quote.totalPriceCents, quote.currency)}</span>
          </div>
          <div className="quote-card-head">
            <Text size="sm" c="dimmed">
              {[quote.eventTypeName, quote.locationName].filter((text) => text !== null).join(' · ')}
            </Text>
            <StateBadge state={quote.state} />
          </div>
          <Text size="sm" c="dimmed">
            <ServiceDay quote={quote} />
          </Text>
        </li>
      ))}
    </ul>
  )
}

export function QuoteTableSkeleton() {
  const isNarrow = useIsNarrow()
  return (
    <div className="app-panel quote-skeleton" role="status" aria-label="Loading quotes" aria-busy="true">
      {Array.from({ length: ROWS }, (_, i) => (
        <Skeleton key={i} height={isNarrow ? 72 : 22} radius="sm" />
      ))}
    </div>
  )
}
