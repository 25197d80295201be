/** The company's API keys. */
import { Button, Switch, Table, Text } from '@mantine/core'
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
import { useLast } from '../ui/last.ts'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { EmptyState } from '../ui/states.tsx'
import { CreateKey } from './create-key.tsx'
import { ActiveState, SettingsTable } from './settings-table.tsx'

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
    <Panel
      title="API keys"
      titleId={TITLE_ID}
      note="Create one for each integration, so you can revoke them separately."
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => setCreating(true)}>
          Create API key
        </Button>
      }
    >
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
    </Panel>
  )
}

function KeyTable({ keys, onRevoke }: { keys: ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  return (
    <SettingsTable columns={['Name', 'Prefix', 'Created', 'Last used', 'Status']}>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
      ))}
    </SettingsTable>
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
        <ActiveState endedAt={revokedAt} ended="Revoked" />
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
  const last = useLast(apiKey)
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
      mutation={revoke}
    >
      Requests with this API key{last?.prefix == null ? '' : ` (${last.prefix}…)`} will fail with status 401
      within a second. This cannot be undone.
      {last?.lastUsedAt == null ? '' : ` Last used ${formatRelative(last.lastUsedAt)}.`}
    </ConfirmDialog>
  )
}
