/** A page of quotes: a table, or cards where there is no room for one. */
import { Group, Skeleton, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useLocation } from 'react-router'
import type { QuoteListItem } from '../../../src/console/quotes.ts'
import { formatDate, formatMoney } from '../format.ts'
import { RowArrow } from '../ui/icons.tsx'
import { countTo, Loading, nameWidth, TextBone } from '../loading.tsx'
import { Note } from '../ui/note.ts'
import { EmailText } from './email-text.tsx'
import { quoteName } from './name.ts'
import './quotes.css'
import { StateBadge } from './state-badge.tsx'

const NARROW = '(max-width: 61.99em)'

function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
}

export function QuoteTable({ quotes }: { quotes: readonly QuoteListItem[] }) {
  return useIsNarrow() ? <Cards quotes={quotes} /> : <Rows quotes={quotes} />
}

function leadName({ leadName: name }: QuoteListItem): string {
  if (name === null) return 'Customer not found'
  return name === '' ? 'Unnamed contact' : name
}

/** Remembers the filters for the link back to this table. */
function QuoteLink({ quote }: { quote: QuoteListItem }) {
  const { search } = useLocation()
  return (
    <div>
      <Link
        to={`/quotes/${encodeURIComponent(quote.id)}`}
        state={{ quotes: search }}
        className="app-row-name"
      >
        <EmailText text={leadName(quote)} />
      </Link>
      <span className="quote-number">{quoteName(quote)}</span>
    </div>
  )
}

/** In the time zone of the location. */
function ServiceDay({ quote: { firstDay, dayCount, timeZone } }: { quote: QuoteListItem }) {
  if (firstDay === null) return <Note span>No day yet</Note>
  return (
    <>
      <span className="quote-date">{formatDate(firstDay.start, timeZone ?? 'UTC')}</span>{' '}
      {dayCount > 1 ? <span className="quote-more">{dayCount} days</span> : null}
    </>
  )
}

const Arrow = () => <RowArrow />

function Head() {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">Customer</Table.Th>
        <Table.Th scope="col">Status</Table.Th>
        <Table.Th scope="col">Event type</Table.Th>
        <Table.Th scope="col">Location</Table.Th>
        <Table.Th scope="col">Day</Table.Th>
        <Table.Th scope="col">Created</Table.Th>
        <Table.Th scope="col" className="is-figure">
          Total
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

function Rows({ quotes }: { quotes: readonly QuoteListItem[] }) {
  return (
    <div className="app-panel quote-grid quote-table">
      <Table aria-label="Quotes">
        <Head />
        <Table.Tbody>
          {quotes.map((quote) => (
            <Table.Tr key={quote.id} className="app-row">
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
                {formatMoney(quote.totalPriceCents, quote.currency)} <Arrow />
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
    <ul className="app-list quote-cards" aria-label="Quotes">
      {quotes.map((quote) => (
        <li key={quote.id} className="app-panel quote-card app-row">
          <div className="quote-card-head">
            <QuoteLink quote={quote} />
            <span className="app-figure">
              {formatMoney(quote.totalPriceCents, quote.currency)} <Arrow />
            </span>
          </div>
          <div className="quote-card-head">
            <Note>
              {[quote.eventTypeName, quote.locationName].filter((text) => text !== null).join(' · ')}
            </Note>
            <StateBadge state={quote.state} />
          </div>
          <Note>
            <ServiceDay quote={quote} />
          </Note>
        </li>
      ))}
    </ul>
  )
}

const ROWS = 25

export function QuoteTableSkeleton() {
  const isNarrow = useIsNarrow()
  return <Loading label="Loading quotes">{isNarrow ? <CardsSkeleton /> : <RowsSkeleton />}</Loading>
}

function RowsSkeleton() {
  return (
    <div className="app-panel quote-grid">
      <Table>
        <Head />
        <Table.Tbody>
          {countTo(ROWS).map((row) => (
            <Table.Tr key={row}>
              <Table.Td className="quote-lead">
                <TextBone width={nameWidth(row)} />
                <TextBone width={56} fz="xs" />
              </Table.Td>
              <Table.Td>
                <Skeleton height={22} width={72} radius="xl" />
              </Table.Td>
              <Table.Td className="is-name">
                <TextBone width="70%" />
              </Table.Td>
              <Table.Td className="is-name">
                <TextBone width={nameWidth(row + 1)} />
              </Table.Td>
              <Table.Td>
                <TextBone width={88} />
              </Table.Td>
              <Table.Td>
                <TextBone width={88} />
              </Table.Td>
              <Table.Td>
                <Group justify="flex-end">
                  <TextBone width={84} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function CardsSkeleton() {
  return (
    <div className="quote-cards">
      {countTo(ROWS).map((row) => (
        <div key={row} className="app-panel quote-card">
          <Group justify="space-between" wrap="nowrap">
            <div>
              <TextBone width={140} fz="md" />
              <TextBone width={56} fz="xs" />
            </div>
            <TextBone width={84} fz="md" />
          </Group>
          <Group justify="space-between" wrap="nowrap">
            <TextBone width={120} />
            <Skeleton height={22} width={72} radius="xl" />
          </Group>
          <TextBone width={96} />
        </div>
      ))}
    </div>
  )
}
