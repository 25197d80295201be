/** A page that shows members a message instead, without requests that would be rejected. */
import { Button } from '@mantine/core'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import { useSession } from '../session.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyPanel } from '../ui/states.tsx'

export const forAdministrators = (title: string, Page: ComponentType) =>
  function PageForAdministrators() {
    return useSession().user.role === 'ADMIN' ? <Page /> : <AdministratorsOnly title={title} />
  }

function AdministratorsOnly({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyPanel
        title="Administrators only"
        action={
          <Button component={Link} to={CONSOLE_PAGES.dashboard} variant="default" mt="sm">
            Go to dashboard
          </Button>
        }
      >
        Only administrators of your company can manage people, API keys and webhooks, and see the request log
        and the audit log.
      </EmptyPanel>
    </>
  )
}
