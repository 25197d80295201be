/** A path of the application at which there is nothing. */
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '../ui/states.tsx'

export function NotFound() {
  return (
    <EmptyState
      title="There is nothing here"
      action={
        <Button component={Link} to="/" variant="default" mt="sm">
          To the dashboard
        </Button>
      }
    >
      The address may be mistyped, or what was here is gone.
    </EmptyState>
  )
}
