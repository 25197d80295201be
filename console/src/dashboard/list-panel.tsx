/** A short list with its heading, or why it is empty. */
import { Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { NewTabIcon, RightIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'

interface ListPanelProps {
  title: string
  /** Beside the heading: how many there are in all, or how much. */
  note?: ReactNode
  empty: string
  className?: string
  /** Above the rows: sums. */
  sums?: ReactNode
  /** Rows as `<li>`. */
  children: readonly ReactNode[]
  /** Below: where the rest is. */
  rest?: ReactNode
}

export function ListPanel({ title, note, empty, className = '', sums, children, rest }: ListPanelProps) {
  const id = useId()
  return (
    <Stack
      component="section"
      className={`app-panel dashboard-list ${className}`}
      gap={0}
      aria-labelledby={id}
    >
      <Group justify="space-between" align="baseline" gap="xs" px="lg" pt="md" pb="xs" wrap="nowrap">
        <Title order={2} id={id}>
          {title}
        </Title>
        {note}
      </Group>
      {sums}
      {children.length === 0 ? (
        <Note px="lg" pb="lg">
          {empty}
        </Note>
      ) : (
        <ul className="app-list">{children}</ul>
      )}
      {rest}
    </Stack>
  )
}

/** The text of a row: a name, details below it, and a figure at the end. */
export function RowText({
  main,
  below,
  end,
  isNewTab = false,
}: {
  main: string
  below: readonly string[]
  end: string | null
  isNewTab?: boolean
}) {
  return (
    <>
      <span className="dashboard-row-main app-row-name">{main}</span>
      {below.map((text, i) => (
        // They have their places, and may be equal.
        // oxlint-disable-next-line react/no-array-index-key
        <Note key={i} span className="dashboard-row-below">
          {text}
        </Note>
      ))}
      {end === null ? null : (
        <Text span size="sm" className="dashboard-row-end app-figure">
          {end}
        </Text>
      )}
      <span className="app-row-arrow dashboard-row-arrow">
        {isNewTab ? (
          <>
            <NewTabIcon />
            <VisuallyHidden>(opens in a new tab)</VisuallyHidden>
          </>
        ) : (
          <RightIcon />
        )}
      </span>
    </>
  )
}
