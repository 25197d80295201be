/** Shows members a message instead of the page, without requests that would be rejected. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import { useSession } from '../session.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'

export function ForAdministrators({ title, children }: { title: string; children: ReactNode }) {
  const { user } = useSession()
  if (user.role === 'ADMIN') return children
  return (
    <>
      <PageHeader title={title} />
      <div className="app-panel">
        <EmptyState
          title="Administrators only"
          action={
            <Button component={Link} to={CONSOLE_PAGES.dashboard} variant="default" mt="sm">
              Go to dashboard
            </Button>
          }
        >
          Only administrators of your company can manage people, API keys and webhooks, and see the request
          log and the audit log.
        </EmptyState>
      </div>
    </>
  )
}
