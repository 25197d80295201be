/** The head of a page: its title, which is also the title of the tab, and its actions. */
import { Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Note } from './note.ts'
import { usePageTitle } from './page-title.ts'

interface PageHeaderProps {
  title: string
  /** The title of the tab, if it is another. */
  tab?: string
  /** Beside the title, such as a badge. */
  mark?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** A link back, above the title. */
  back?: ReactNode
}

export function PageHeader({ title, tab = title, mark, subtitle, actions, back }: PageHeaderProps) {
  usePageTitle(tab)
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="md">
      <Stack gap={4} miw={0}>
        {back}
        <Group gap="sm">
          <Title order={1} id="page-title" tabIndex={-1}>
            {title}
          </Title>
          {mark}
        </Group>
        {subtitle === undefined ? null : (
          <Note component="div" className="app-wrap">
            {subtitle}
          </Note>
        )}
      </Stack>
      {actions === undefined ? null : <Group gap="sm">{actions}</Group>}
    </Group>
  )
}
