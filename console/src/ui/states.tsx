/** What a page shows when there is nothing to show: not yet, nothing at all, or not for now. */
import { Alert, Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
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

export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const isGone = error instanceof CallError && error.status === 404
  return (
    <Alert
      color="red"
      variant="light"
      title={isGone ? 'Not found' : 'This could not be loaded'}
      role="alert"
      maw={640}
      mx="auto"
      my="xl"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {onRetry === undefined || isGone ? null : (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
