/** The number of quotes in each state. Each tile links to those quotes. */
import { Title, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { DashboardAnswer } from '../../../src/console/dashboard.ts'
import { formatNumber } from '../format.ts'
import { Note } from '../ui/note.ts'

export const STATES: { state: keyof DashboardAnswer['quotes']; label: string; meaning: string }[] = [
  { state: 'draft', label: 'Draft', meaning: 'Not sent yet' },
  { state: 'sent', label: 'Sent', meaning: 'Waiting for the customer' },
  { state: 'expired', label: 'Expired', meaning: 'Past the expiration date' },
  { state: 'booked', label: 'Booked', meaning: 'Turned into bookings' },
  { state: 'lost', label: 'Lost', meaning: 'Not won' },
]

export function StateTiles({ quotes }: { quotes: DashboardAnswer['quotes'] }) {
  return (
    <section className="app-panel dashboard-states" aria-labelledby="quotes-by-state">
      <VisuallyHidden>
        <Title order={2} id="quotes-by-state">
          Quotes by state
        </Title>
      </VisuallyHidden>
      <ul className="app-list">
        {STATES.map(({ state, label, meaning }) => (
          <li key={state}>
            <Link to={`${CONSOLE_PAGES.quotes}?state=${state}`} className="dashboard-state app-row">
              <span className="dashboard-state-name app-row-name">{label}</span>{' '}
              <span className="dashboard-state-count app-figure">{formatNumber(quotes[state])}</span>{' '}
              <Note span className="dashboard-state-meaning">
                {meaning}
              </Note>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
