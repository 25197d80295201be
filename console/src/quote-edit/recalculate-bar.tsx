/** Offers to recalculate lines after guests, hours or days changed. Nothing is recalculated without a click. */
import { Alert, Button, Group, Text } from '@mantine/core'
import type { Dispatch } from 'react'
import type { DraftAction } from './draft.ts'
import type { StaleLine } from './draft-lines.ts'

const WORDS = { GUEST: 'guests', HOUR: 'hours', DAY: 'days', EACH: '' }

export function RecalculateBar({
  stale,
  dispatch,
}: {
  stale: readonly StaleLine[]
  dispatch: Dispatch<DraftAction>
}) {
  if (stale.length === 0) return null
  const causes = [...new Set(stale.map(({ unit }) => WORDS[unit]))].join(' and ')
  const typedCount = stale.filter(({ isPriceTyped }) => isPriceTyped).length
  const pricedCount = stale.length - typedCount
  return (
    <Alert color="yellow" role="status" p="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {causes.charAt(0).toUpperCase() + causes.slice(1)} changed.
          {pricedCount === 0
            ? null
            : ` The price of ${linesOf(pricedCount)} depends on ${pricedCount === 1 ? 'it' : 'that'}.`}
          {typedCount === 0
            ? null
            : ` ${linesOf(typedCount)} with a typed price ${typedCount === 1 ? 'keeps' : 'keep'} it: only the quantity changes.`}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => dispatch({ type: 'kept', lines: stale })}>
            {pricedCount === 0 ? 'Keep quantity' : 'Keep prices'}
          </Button>
          <Button size="xs" onClick={() => dispatch({ type: 'requantified', lines: stale })}>
            {pricedCount === 0 ? 'Change quantity' : `Recalculate ${linesOf(stale.length)}`}
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count} lines`)
