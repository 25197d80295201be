/** Where a quote stands, in a word with a color. */
import type { QuoteState } from '../../../src/core/quotes/quote-state.ts'
import './quotes.css'
import { STATE_WORDS } from './words.ts'

export function StateBadge({ state }: { state: QuoteState }) {
  return <span className={`quote-state quote-state-${state}`}>{STATE_WORDS[state]}</span>
}
