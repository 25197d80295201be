/** Says that a list without a next page is cut. */
import { Text } from '@mantine/core'

export function Older({ what, count }: { what: string; count: number }) {
  return (
    <Text size="sm" c="dimmed">
      These are the {count} newest {what}.
    </Text>
  )
}
