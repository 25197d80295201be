/** The head of a page: its name, which is also the name of the tab, and what can be done with all of it. */
import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect } from 'react'

interface PageHeaderProps {
  title: string
  /** Beside the title: a badge, say. */
  mark?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** Above the title: the way back. */
  back?: ReactNode
}

export function PageHeader({ title, mark, subtitle, actions, back }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Event Quoting Service`
  }, [title])
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
          <Text c="dimmed" size="sm" component="div" className="app-wrap">
            {subtitle}
          </Text>
        )}
      </Stack>
      {actions === undefined ? null : <Group gap="sm">{actions}</Group>}
    </Group>
  )
}
