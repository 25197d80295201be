/** The people of the company: users and open invitations. */
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import type { PeopleAnswer } from '../../../src/console/people.ts'
import { LoadingPanels } from '../loading.tsx'
import { InviteDialog } from '../people/invite-dialog.tsx'
import { Invitations } from '../people/invitations.tsx'
import { UserTable } from '../people/user-table.tsx'
import { forAdministrators } from '../settings/for-administrators.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default forAdministrators('People', AllPeople)

function AllPeople() {
  const [isInviting, setInviting] = useState(false)
  const query = useGet<PeopleAnswer>(['people'], 'settings/people')
  return (
    <>
      <PageHeader
        title="People"
        subtitle="Who can sign in to your company."
        actions={
          <Button leftSection={<PlusIcon />} onClick={() => setInviting(true)}>
            Invite a person
          </Button>
        }
      />
      <Loaded query={query} skeleton={<LoadingPanels label="Loading people" lines={[4, 1]} />}>
        {(data) => (
          <Stack gap="lg">
            <ErrorAlert error={query.error} />
            <Panel title="Users">
              <UserTable users={data.users} isMailConfigured={data.isMailConfigured} />
            </Panel>
            <Invitations invitations={data.invitations} />
          </Stack>
        )}
      </Loaded>
      <InviteDialog
        isOpen={isInviting}
        isMailConfigured={query.data?.isMailConfigured === true}
        onClose={() => setInviting(false)}
      />
    </>
  )
}
