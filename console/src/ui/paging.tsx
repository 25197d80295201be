/** Leads to older entries of a list, and back to the latest. */
import { Button, Group } from '@mantine/core'
import { RightIcon } from './icons.tsx'

interface PagingProps {
  isFirst: boolean
  hasMore: boolean
  /** Of the displayed list, not of the requested one. */
  isOld: boolean
  onFirst: () => void
  onMore: () => void
}

export function Paging({ isFirst, hasMore, isOld, onFirst, onMore }: PagingProps) {
  if (isFirst && !hasMore) return null
  return (
    <Group gap="sm" justify="flex-end">
      {isFirst ? null : (
        <Button variant="default" size="xs" onClick={onFirst}>
          Back to latest
        </Button>
      )}
      {hasMore ? (
        <Button
          variant="default"
          size="xs"
          rightSection={<RightIcon />}
          aria-disabled={isOld}
          onClick={onMore}
        >
          Older
        </Button>
      ) : null}
    </Group>
  )
}
