/** Upcoming events, overdue tasks and overdue invoices. */
import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type {
  DashboardAnswer,
  OverdueInvoicesAnswer,
  OverdueTasksAnswer,
} from '../../../src/console/dashboard.ts'
import { eventPath, titleOf } from '../events/calendar.ts'
import {
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatOpenTasks,
  formatRelativeLabel,
  zoneNote,
} from '../format.ts'
import { ListPanel, RowText } from './list-panel.tsx'
import { Rest, useMore } from './rest.tsx'

export function UpcomingEvents({ events }: { events: DashboardAnswer['upcomingEvents'] }) {
  return (
    <ListPanel
      title="Upcoming events"
      className="dashboard-upcoming"
      empty="No upcoming events. Each booking adds one event per day."
      note={
        events.length === 0 ? undefined : (
          <Link to={CONSOLE_PAGES.events} className="app-link dashboard-note">
            All events
          </Link>
        )
      }
    >
      {events.map(({ id, name, clientName, serviceStartTime, locationName, timeZone, openTasks }) => {
        const zone = timeZone ?? 'UTC'
        const when = [formatDateTime(serviceStartTime, zone), zoneNote(serviceStartTime, zone)]
        return (
          <li key={id}>
            <Link to={eventPath(id)} className="dashboard-row app-row">
              <RowText
                main={titleOf({ name, clientName })}
                below={[when.filter((part) => part !== '').join(' '), locationName ?? '']}
                end={openTasks === 0 ? null : formatOpenTasks(openTasks)}
              />
            </Link>
          </li>
        )
      })}
    </ListPanel>
  )
}

export function OverdueTasks({ tasks }: { tasks: DashboardAnswer['overdueTasks'] }) {
  const more = useMore<OverdueTasksAnswer>('overdue-tasks')
  const shown = more.answer?.tasks ?? tasks.first
  return (
    <ListPanel
      title="Overdue tasks"
      empty="No overdue tasks."
      note={<Count count={tasks.count} />}
      rest={<Rest count={tasks.count} shown={shown.length} few={tasks.first.length} more={more} />}
    >
      {shown.map(({ id, description, dueDate, eventId, eventName, clientName }) => (
        <li key={id}>
          <Link to={eventPath(eventId)} className="dashboard-row app-row">
            <RowText
              main={description}
              below={[titleOf({ name: eventName, clientName })]}
              end={formatRelativeLabel(dueDate)}
            />
          </Link>
        </li>
      ))}
    </ListPanel>
  )
}

export function OverdueInvoices({ invoices }: { invoices: DashboardAnswer['overdueInvoices'] }) {
  const count = invoices.totals.reduce((sum, total) => sum + total.invoices, 0)
  const more = useMore<OverdueInvoicesAnswer>('overdue-invoices')
  const shown = more.answer?.invoices ?? invoices.first
  return (
    <ListPanel
      title="Overdue invoices"
      empty="No overdue invoices."
      note={<Count count={count} />}
      sums={count === 0 ? undefined : <Sums totals={invoices.totals} />}
      rest={<Rest count={count} shown={shown.length} few={invoices.first.length} more={more} />}
    >
      {shown.map(({ id, invoiceNumber, billTo, dueDate, amountDueCents, currency, url }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noreferrer" className="dashboard-row app-row">
            <RowText
              main={invoiceNumber}
              // The day as on the invoice itself.
              below={[
                [billTo, `due ${formatDate(dueDate, 'UTC')}`].filter((part) => part !== null).join(' · '),
              ]}
              end={formatMoney(BigInt(amountDueCents), currency)}
              isNewTab
            />
          </a>
        </li>
      ))}
    </ListPanel>
  )
}

function Sums({ totals }: Pick<DashboardAnswer['overdueInvoices'], 'totals'>) {
  return (
    <dl className="dashboard-sums">
      {totals.map(({ currency, amountDueCents, invoices }) => (
        <div key={currency}>
          <dt>
            {invoices === 1 ? '1 invoice' : `${formatNumber(invoices)} invoices`} in {currency}
          </dt>
          <dd className="app-figure">{formatMoney(BigInt(amountDueCents), currency)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Count({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Text span fw={650} className="app-figure">
      {formatNumber(count)}
    </Text>
  )
}
