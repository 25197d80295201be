/** Rows between lines: a name, details, and a button for what can be done with it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Note } from './note.ts'
import './row-list.css'
import { ErrorAlert } from './states.tsx'

export function RowList({ children }: { children: readonly ReactNode[] }) {
  return <ul className="app-list row-list">{children}</ul>
}

interface RowProps {
  name: string
  details: ReactNode
  /** Below the details. */
  children?: ReactNode
  /** Without one, there is no button. */
  action?: {
    label: string
    /** For screen readers: names the row, too. */
    fullLabel: string
    mutation: UseMutationResult<unknown, Error, void>
  }
}

export function Row({ name, details, children, action }: RowProps) {
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={550} className="app-wrap">
            {name}
          </Text>
          <Note className="app-wrap">{details}</Note>
          {children}
        </Stack>
        {action === undefined ? null : (
          <Button
            variant="default"
            size="xs"
            flex="none"
            loading={action.mutation.isPending}
            onClick={() => action.mutation.mutate()}
            aria-label={action.fullLabel}
          >
            {action.label}
          </Button>
        )}
      </Group>
      <ErrorAlert error={action?.mutation.error ?? null} />
    </li>
  )
}
