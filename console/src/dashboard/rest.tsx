/** Shows the rest of a short list on demand. */
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../format.ts'
import { Note } from '../ui/note.ts'
import { useGet } from '../use-get.ts'

/** As long as the list is open it is as fresh as the rest of the page. */
export const REFRESH_MS = 60_000

interface More<Answer> {
  /** Undefined while it is folded, and until it is there. */
  answer: Answer | undefined
  isLoading: boolean
  error: Error | null
  toggle: () => void
}

export function useMore<Answer>(name: string): More<Answer> {
  const [isOpen, setOpen] = useState(false)
  const { data, error, isFetching, refetch } = useGet<Answer>(['dashboard', name], `dashboard/${name}`, {
    enabled: isOpen,
    refetchInterval: REFRESH_MS,
  })
  const hasFailed = isOpen && data === undefined && error !== null
  return {
    answer: isOpen ? data : undefined,
    isLoading: isOpen && data === undefined && isFetching,
    error: hasFailed && !isFetching ? error : null,
    toggle: () => (hasFailed ? void refetch() : setOpen(!isOpen)),
  }
}

interface RestProps {
  count: number
  shown: number
  /** As many as are shown when it is folded. */
  few: number
  more: More<unknown>
}

export function Rest({ count, shown, few, more: { answer, isLoading, error, toggle } }: RestProps) {
  if (count <= few) return null
  const isUnfolded = answer !== undefined
  return (
    <Group gap="sm" px="lg" pb="md">
      {/* Never disabled, not even while it loads: the keyboard would lose its place. */}
      <Button variant="default" size="xs" onClick={toggle} aria-expanded={isUnfolded}>
        {isUnfolded ? 'Show fewer' : 'Show more'}
      </Button>
      {shown < count ? (
        <Note>
          {isUnfolded
            ? `Showing the ${formatNumber(shown)} longest overdue of ${formatNumber(count)}.`
            : isLoading
              ? 'Loading…'
              : `${formatNumber(count - shown)} more`}
        </Note>
      ) : null}
      {error === null ? null : (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {error.message}
        </Text>
      )}
    </Group>
  )
}
