/** A panel with a heading, which names its region. */
import { Group, Stack, Title } from '@mantine/core'
import type { StackProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { Note } from './note.ts'

interface PanelProps extends StackProps {
  title: string
  /** The heading gets the focus when the focused element of the panel is gone. */
  titleId?: string
  /** Below the heading. */
  note?: ReactNode
  /** Beside the heading. */
  actions?: ReactNode
}

export function Panel({ title, titleId, note, actions, className = '', children, ...props }: PanelProps) {
  const ownId = useId()
  const id = titleId ?? ownId
  const head = (
    <Stack gap={2}>
      <Title order={2} id={id} tabIndex={titleId === undefined ? undefined : -1}>
        {title}
      </Title>
      {note === undefined ? null : <Note>{note}</Note>}
    </Stack>
  )
  return (
    <Stack
      component="section"
      className={`app-panel ${className}`}
      p="lg"
      gap="md"
      aria-labelledby={id}
      {...props}
    >
      {actions === undefined ? (
        head
      ) : (
        <Group justify="space-between" align={note === undefined ? 'center' : 'flex-start'} gap="sm">
          {head}
          {actions}
        </Group>
      )}
      {children}
    </Stack>
  )
}
