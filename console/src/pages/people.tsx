/** The people of the company: users and open invitations. */
import { Button, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PeopleAnswer } from '../../../src/console/people.ts'
import { get } from '../call.ts'
import { Loading, PanelBones } from '../loading.tsx'
import { InviteDialog } from '../people/invite-dialog.tsx'
import { Invitations } from '../people/invitations.tsx'
import { UserTable } from '../people/user-table.tsx'
import { ForAdministrators } from '../settings/for-administrators.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ErrorAlert, ErrorState } from '../ui/states.tsx'

export default function People() {
  return (
    <ForAdministrators title="People">
      <AllPeople />
    </ForAdministrators>
  )
}

function AllPeople() {
  const [isInviting, setInviting] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['people'],
    queryFn: () => get<PeopleAnswer>('settings/people'),
  })
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
      {data === undefined ? (
        error === null ? (
          <Loading label="Loading people">
            <Stack gap="lg">
              <PanelBones lines={4} />
              <PanelBones lines={1} />
            </Stack>
          </Loading>
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <Stack gap="lg">
          <ErrorAlert error={error} />
          <Stack className="app-panel" p="lg" gap="md" component="section" aria-labelledby="users-title">
            <Title order={2} id="users-title">
              Users
            </Title>
            <UserTable users={data.users} isMailConfigured={data.isMailConfigured} />
          </Stack>
          <Invitations invitations={data.invitations} />
        </Stack>
      )}
      <InviteDialog
        isOpen={isInviting}
        isMailConfigured={data?.isMailConfigured === true}
        onClose={() => setInviting(false)}
      />
    </>
  )
}
