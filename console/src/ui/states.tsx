/** States of a page without content: loading, empty, not found, failed. */
import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CallError } from '../call.ts'
import { Bone, Loading, countTo } from '../loading.tsx'

/** Placeholders for content of unknown shape. */
export function LoadingState({ lines = 6, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <Loading label={label}>
      <Stack gap="sm">
        {countTo(lines).map((i) => (
          <Bone key={i} height={36} />
        ))}
      </Stack>
    </Loading>
  )
}

interface EmptyStateProps {
  title: string
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
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

/** An empty state that is a whole panel. */
export const EmptyPanel = (props: EmptyStateProps) => (
  <div className="app-panel">
    <EmptyState {...props} />
  </div>
)

/** Nothing is here. Offers a link to the dashboard. */
export function NothingState({ title, children }: { title: string; children: ReactNode }) {
  const action = (
    <Button component={Link} to="/" variant="default" mt="sm">
      Go to dashboard
    </Button>
  )
  return (
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  )
}

interface FailureProps {
  error: Error
  onRetry?: (() => unknown) | undefined
}

/** The message of a failed action. */
export function ErrorAlert({ error, onRetry }: Omit<FailureProps, 'error'> & { error: Error | null }) {
  if (error === null) return null
  return (
    <Alert color="red" role="alert">
      <Failure error={error} onRetry={onRetry} />
    </Alert>
  )
}

function Failure({ error, onRetry }: FailureProps) {
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{error.message}</Text>
      {onRetry === undefined ? null : (
        <Button variant="default" size="xs" onClick={() => void onRetry()}>
          Retry
        </Button>
      )}
    </Stack>
  )
}

export function ErrorState({ error, onRetry }: FailureProps) {
  if (error instanceof CallError && error.status === 404) {
    return (
      <NothingState title="Not found">
        {error.message.replace(/\.?$/, '.')} It may have been deleted, or the link is wrong.
      </NothingState>
    )
  }
  return (
    <Alert color="red" title="Could not load this" role="alert" maw={640} mx="auto" my="xl">
      <Failure error={error} onRetry={onRetry} />
    </Alert>
  )
}
