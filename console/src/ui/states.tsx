/** What a page shows when there is nothing to show: not yet, nothing at all, or not for now. */
import { Alert, Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CallError } from '../call.ts'

/** Grey lines in the place of what is coming. */
export function LoadingState({ lines = 6, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <Stack gap="sm" role="status" aria-label={label} aria-busy="true">
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} height={36} radius="sm" />
      ))}
    </Stack>
  )
}

export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Title order={2}>{title}</Title>
      {children === undefined ? null : (
        <Text c="dimmed" maw={460}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}

/** Nothing is here, and there is a way on. */
export function NothingState({ title, children }: { title: string; children: ReactNode }) {
  const action = (
    <Button component={Link} to="/" variant="default" mt="sm">
      To the dashboard
    </Button>
  )
  return (
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  )
}

export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  if (error instanceof CallError && error.status === 404) {
    return (
      <NothingState title="Not found">
        {error.message.replace(/\.?$/, '.')} It may have been removed, or the address is mistyped.
      </NothingState>
    )
  }
  return (
    <Alert
      color="red"
      variant="light"
      title="This could not be loaded"
      role="alert"
      maw={640}
      mx="auto"
      my="xl"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {onRetry === undefined ? null : (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
