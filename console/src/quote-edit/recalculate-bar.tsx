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
  const lines = stale.length === 1 ? '1 line' : `${stale.length} lines`
  return (
    <Alert color="yellow" role="status" p="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {causes.charAt(0).toUpperCase() + causes.slice(1)} changed. The price of {lines} depends on{' '}
          {stale.length === 1 ? 'it' : 'that'}.
        </Text>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => dispatch({ type: 'kept', lines: stale })}>
            Keep prices
          </Button>
          <Button size="xs" onClick={() => dispatch({ type: 'requantified', lines: stale })}>
            Recalculate {lines}
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}
