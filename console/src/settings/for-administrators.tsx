/** In the place of a page that a member may not see: nothing is asked that would be refused. */
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
          title="For administrators"
          action={
            <Button component={Link} to={CONSOLE_PAGES.dashboard} variant="default" mt="sm">
              To the dashboard
            </Button>
          }
        >
          Keys and what is asked with them are looked after by the administrators of your company. Ask one of
          them if something is to change.
        </EmptyState>
      </div>
    </>
  )
}
