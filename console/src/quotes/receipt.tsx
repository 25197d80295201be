/** The price breakdown as a receipt that explains the total. */
import { Text, Title } from '@mantine/core'
import type { PriceBreakdown } from '../../../src/core/pricing/price-quote.ts'
import type { QuotePricing } from '../../../src/core/pricing/quote-pricing.ts'
import { formatMoney } from '../format.ts'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import './quote-page.css'
import { receiptSteps } from './receipt.ts'
import type { Step } from './receipt.ts'
import { explainExclusion } from './words.ts'

interface ReceiptProps {
  className?: string
  pricing: QuotePricing
  /** What `priceQuote` makes of it. */
  breakdown: PriceBreakdown
}

export function Receipt({ className = '', pricing, breakdown }: ReceiptProps) {
  const steps = receiptSteps(pricing, breakdown)
  return (
    <Panel title="Price breakdown" className={className}>
      <table className="receipt" aria-label="Price breakdown">
        <tbody>
          {steps.map((step) => (
            <StepRow key={step.key} step={step} currency={breakdown.currency} />
          ))}
        </tbody>
      </table>
      <NotCountedList pricing={pricing} breakdown={breakdown} />
    </Panel>
  )
}

function StepRow({ step: { kind, label, notes, cents }, currency }: { step: Step; currency: string }) {
  const isLess = kind === 'subtract' && cents > 0
  return (
    <tr className={`receipt-${kind}`}>
      <th scope="row">
        <span className="receipt-label">{label}</span>
        {notes.map((note) => (
          <span key={note} className="receipt-note">
            {note}
          </span>
        ))}
      </th>
      <td className="app-figure">
        {isLess ? '−' : ''}
        {formatMoney(cents, currency)}
      </td>
    </tr>
  )
}

function NotCountedList({ pricing, breakdown }: ReceiptProps) {
  if (breakdown.excluded.length === 0) return null
  return (
    <div className="not-counted">
      <Title order={3} mb={4}>
        Not counted
      </Title>
      <ul className="app-list">
        {breakdown.excluded
          .map((exclusion) => explainExclusion(exclusion, pricing))
          .map(({ key, what, why }) => (
            <li key={key}>
              <Text span size="sm" fw={550}>
                {what}
              </Text>
              <Note>{why}</Note>
            </li>
          ))}
      </ul>
    </div>
  )
}
