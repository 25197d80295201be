/** A table that becomes a list of blocks on a phone. Roles are explicit, because a table that is no table loses them. */
import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDate, formatDateTime } from '../format.ts'
import './settings.css'

interface SettingsTableProps {
  /** The last column has the actions. */
  columns: readonly string[]
  /** Rows. */
  children: ReactNode
}

export function SettingsTable({ columns, children }: SettingsTableProps) {
  return (
    <Table className="settings-table" role="table" borderColor="var(--app-line)">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((name) => (
            <Table.Th key={name} role="columnheader">
              {name}
            </Table.Th>
          ))}
          <Table.Th role="columnheader">
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">{children}</Table.Tbody>
    </Table>
  )
}

/** Active, or ended at a time: `Revoked Jun 1, 2026`. */
export function ActiveState({ endedAt, ended }: { endedAt: string | null; ended: string }) {
  return endedAt === null ? (
    <span className="settings-state" data-kind="good">
      Active
    </span>
  ) : (
    <span className="settings-state" title={formatDateTime(endedAt)}>
      {ended} {formatDate(endedAt)}
    </span>
  )
}
