/** The company's API keys. */
import { Button, Group, Stack, Switch, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { SettingsAnswer } from '../../../src/console/settings.ts'
import { call, queryClient } from '../call.ts'
import { formatDate, formatDateTime, formatRelative, formatRelativeLabel } from '../format.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { EmptyState } from '../ui/states.tsx'
import { CreateKey } from './create-key.tsx'

type ApiKey = SettingsAnswer['keys'][number]

const TITLE_ID = 'keys-title'

export function ApiKeys({ settings }: { settings: SettingsAnswer }) {
  const [isCreating, setCreating] = useState(false)
  const [showsRevoked, setShowsRevoked] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const revoked = settings.keys.filter(({ revokedAt }) => revokedAt !== null)
  const active = settings.keys.filter(({ revokedAt }) => revokedAt === null)
  const shown = showsRevoked ? [...active, ...revoked] : active
  return (
    <Stack className="app-panel" p="lg" gap="md" component="section" aria-labelledby={TITLE_ID}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2}>
          <Title order={2} id={TITLE_ID} tabIndex={-1}>
            API keys
          </Title>
          <Note>Create one for each integration, so you can revoke them separately.</Note>
        </Stack>
        <Button leftSection={<PlusIcon />} onClick={() => setCreating(true)}>
          Create API key
        </Button>
      </Group>
      {shown.length === 0 ? (
        <EmptyState title={revoked.length === 0 ? 'No API keys yet' : 'No active API keys'}>
          Create an API key, and send it in the x-api-key header of each request.
        </EmptyState>
      ) : (
        <KeyTable keys={shown} onRevoke={setRevoking} />
      )}
      {revoked.length === 0 ? null : (
        <Switch
          label={`Show revoked API keys (${revoked.length})`}
          checked={showsRevoked}
          onChange={(event) => setShowsRevoked(event.currentTarget.checked)}
        />
      )}
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} settings={settings} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />
    </Stack>
  )
}

function KeyTable({ keys, onRevoke }: { keys: ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  return (
    <Table className="settings-table" role="table" borderColor="var(--app-line)">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          <Table.Th role="columnheader">Name</Table.Th>
          <Table.Th role="columnheader">Prefix</Table.Th>
          <Table.Th role="columnheader">Created</Table.Th>
          <Table.Th role="columnheader">Last used</Table.Th>
          <Table.Th role="columnheader">Status</Table.Th>
          <Table.Th role="columnheader">
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { id, name, prefix, createdAt, lastUsedAt, revokedAt } = apiKey
  return (
    <Table.Tr role="row" className={revokedAt === null ? '' : 'settings-faded'}>
      <Table.Td role="cell" className="settings-key-name">
        <Text fw={550} size="sm" lineClamp={2} title={name} className="app-wrap">
          {name}
        </Text>
        <Link
          className="app-link"
          to={`${CONSOLE_PAGES.requestLog}?key=${encodeURIComponent(id)}`}
          aria-label={`Requests with ${name}`}
        >
          <Text size="xs" span>
            Requests
          </Text>
        </Link>
      </Table.Td>
      <Table.Td role="cell" data-end>
        {prefix === null ? (
          <Note span title="Imported API keys have no known prefix.">
            Imported
          </Note>
        ) : (
          <span className="settings-mono">{prefix}…</span>
        )}
      </Table.Td>
      <Table.Td role="cell" data-label="Created" title={formatDateTime(createdAt)}>
        {formatDate(createdAt)}
      </Table.Td>
      <Table.Td role="cell" data-label="Last used" data-end>
        {lastUsedAt === null ? (
          'Never'
        ) : (
          <span title={`${formatDateTime(lastUsedAt)}, updated once a minute`}>
            {formatRelativeLabel(lastUsedAt)}
          </span>
        )}
      </Table.Td>
      <Table.Td role="cell">
        {revokedAt === null ? (
          <span className="settings-state" data-kind="good">
            Active
          </span>
        ) : (
          <span className="settings-state" title={formatDateTime(revokedAt)}>
            Revoked {formatDate(revokedAt)}
          </span>
        )}
      </Table.Td>
      <Table.Td role="cell" data-end ta="end">
        {revokedAt === null ? (
          <Button variant="default" size="xs" onClick={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  )
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  // The dialog still shows the name while it fades away.
  const [last, setLast] = useState(apiKey)
  if (apiKey !== null && apiKey !== last) setLast(apiKey)
  const revoke = useMutation({
    mutationFn: (key: ApiKey) => call('POST', `settings/keys/${encodeURIComponent(key.id)}/revoke`),
    onSuccess: async (_, { name }) => {
      await queryClient.invalidateQueries({ queryKey: ['settings'] })
      notifications.show({ message: `Revoked ${name}.` })
      onClose()
      // The button that was pressed is gone with its key.
      document.getElementById(TITLE_ID)?.focus()
    },
  })
  const close = () => {
    revoke.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={apiKey !== null}
      onClose={close}
      title={`Revoke “${last?.name ?? ''}”?`}
      action="Revoke API key"
      onConfirm={() => apiKey !== null && revoke.mutate(apiKey)}
      isBusy={revoke.isPending}
      error={revoke.error}
    >
      Requests with this API key{last?.prefix == null ? '' : ` (${last.prefix}…)`} will fail with status 401
      within a second. This cannot be undone.
      {last?.lastUsedAt == null ? '' : ` Last used ${formatRelative(last.lastUsedAt)}.`}
    </ConfirmDialog>
  )
}
