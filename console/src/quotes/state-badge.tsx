/** The state of a quote in color. */
import type { QuoteState } from '../../../src/core/quotes/quote-state.ts'
import { Status } from '../ui/status.tsx'
import type { Tone } from '../ui/status.tsx'
import './quotes.css'
import { STATE_WORDS } from './words.ts'

const STATE_TONES: Record<QuoteState, Tone> = {
  draft: 'gray',
  sent: 'blue',
  booked: 'green',
  lost: 'red',
  expired: 'amber',
}

export function StateBadge({ state }: { state: QuoteState }) {
  return (
    <Status tone={STATE_TONES[state]} className="quote-state">
      {STATE_WORDS[state]}
    </Status>
  )
}
