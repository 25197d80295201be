/** The users of the company. */
import { ActionIcon, Menu, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PeopleAnswer } from '../../../src/console/people.ts'
import { call, queryClient } from '../call.ts'
import { formatDate } from '../format.ts'
import { useSession } from '../session.ts'
import { ActiveState, SettingsTable } from '../settings/settings-table.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DotsIcon } from '../ui/icons.tsx'
import { useLast } from '../ui/last.ts'
import { Note } from '../ui/note.ts'
import { notifyFailure } from '../ui/notify.ts'
import { ResetDialog } from './reset-dialog.tsx'
import { ROLE_WORDS } from './words.ts'

type User = PeopleAnswer['users'][number]

type UserTableProps = Pick<PeopleAnswer, 'users' | 'isMailConfigured'>

export function UserTable({ users, isMailConfigured }: UserTableProps) {
  const [resetting, setResetting] = useState<User | null>(null)
  const [disabling, setDisabling] = useState<User | null>(null)
  return (
    <>
      <SettingsTable columns={['Name', 'Role', 'Since', 'Status']}>
        {users.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            onReset={() => setResetting(user)}
            onDisable={() => setDisabling(user)}
          />
        ))}
      </SettingsTable>
      <ResetDialog user={resetting} isMailConfigured={isMailConfigured} onClose={() => setResetting(null)} />
      <DisableDialog user={disabling} onClose={() => setDisabling(null)} />
    </>
  )
}

function UserRow({ user, onReset, onDisable }: { user: User; onReset: () => void; onDisable: () => void }) {
  const { user: self } = useSession()
  const { id, name, email, role, createdAt, disabledAt } = user
  return (
    <Table.Tr role="row" className={disabledAt === null ? '' : 'settings-faded'}>
      <Table.Td role="cell" data-wide>
        <Text fw={550} size="sm" className="app-wrap">
          {name}
          {id === self.id ? ' (you)' : ''}
        </Text>
        <Note className="app-wrap">{email}</Note>
      </Table.Td>
      <Table.Td role="cell">{ROLE_WORDS[role]}</Table.Td>
      <Table.Td role="cell" data-label="Since" data-end>
        {formatDate(createdAt)}
      </Table.Td>
      <Table.Td role="cell">
        <ActiveState endedAt={disabledAt} ended="Disabled" />
      </Table.Td>
      <Table.Td role="cell" data-end ta="end">
        <UserMenu user={user} onReset={onReset} onDisable={onDisable} />
      </Table.Td>
    </Table.Tr>
  )
}

function useChange() {
  return useMutation({
    mutationFn: ({ id, ...change }: { id: string; role?: string; isEnabled?: boolean }) =>
      call('PATCH', `settings/people/${encodeURIComponent(id)}`, change),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['people'] })
      // It may be the user's own role.
      await queryClient.refetchQueries({ queryKey: ['session'] })
    },
  })
}

function UserMenu({ user, onReset, onDisable }: { user: User; onReset: () => void; onDisable: () => void }) {
  const change = useChange()
  const { id, name, role, disabledAt } = user
  const other = role === 'ADMIN' ? 'MEMBER' : 'ADMIN'
  const send = (wanted: { role?: string; isEnabled?: boolean }, message: string) =>
    change.mutate(
      { id, ...wanted },
      {
        onSuccess: () => notifications.show({ message }),
        onError: notifyFailure('Not changed'),
      },
    )
  return (
    <Menu width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Actions: ${name}`} loading={change.isPending}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() => send({ role: other }, `${name} is now: ${ROLE_WORDS[other].toLowerCase()}.`)}
        >
          {role === 'ADMIN' ? 'Make member' : 'Make administrator'}
        </Menu.Item>
        {disabledAt === null ? (
          <>
            <Menu.Item onClick={onReset}>Create password reset link</Menu.Item>
            <Menu.Item onClick={onDisable}>Disable</Menu.Item>
          </>
        ) : (
          <Menu.Item onClick={() => send({ isEnabled: true }, `${name} can sign in again.`)}>
            Enable
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function DisableDialog({ user, onClose }: { user: User | null; onClose: () => void }) {
  const last = useLast(user)
  const change = useChange()
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={user !== null}
      onClose={close}
      title={`Disable ${last?.name ?? ''}?`}
      action="Disable user"
      onConfirm={() =>
        user !== null && change.mutate({ id: user.id, isEnabled: false }, { onSuccess: close })
      }
      mutation={change}
    >
      They are signed out everywhere and cannot sign in. Their work stays, and you can enable them again.
    </ConfirmDialog>
  )
}
