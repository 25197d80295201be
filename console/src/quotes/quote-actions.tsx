/** What can be done with a quote. */
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { QuotePageAnswer } from '../../../src/http/console/quotes.ts'
import { PencilIcon } from '../ui/icons.tsx'

export function QuoteActions({ quote: { quote } }: { quote: QuotePageAnswer }) {
  return (
    <Button
      component={Link}
      to={`/quotes/${encodeURIComponent(quote.id)}/edit`}
      variant="default"
      leftSection={<PencilIcon />}
    >
      Edit
    </Button>
  )
}
