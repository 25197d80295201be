/** Leads to older entries of a list, and back to the latest. */
import { Button, Group } from '@mantine/core'
import { RightIcon } from './icons.tsx'

interface PagingProps {
  isFirst: boolean
  hasMore: boolean
  /** Of the displayed list, not of the requested one. */
  isOld: boolean
  /** If the list is in the URL: whether the page is rendered for the current one. */
  isDrawn?: () => boolean
  onFirst: () => void
  onMore: () => void
}

export function Paging({ isFirst, hasMore, isOld, isDrawn, onFirst, onMore }: PagingProps) {
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
          // The cursor of an outdated list does not apply to the new filters.
          onClick={() => (isOld || isDrawn?.() === false ? undefined : onMore())}
        >
          Older
        </Button>
      ) : null}
    </Group>
  )
}
