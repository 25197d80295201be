/** Parts of dialogs that ask which of two versions to keep. */
import { Badge, Button, Table } from '@mantine/core'
import '../quote-edit/dialogs.css'
import { Note } from './note.ts'

const WHO = { me: 'you', them: 'them', both: 'both' }

interface DifferenceRow {
  key: string
  /** The field. */
  what: string
  mine: string
  theirs: string
  by: keyof typeof WHO
}

export function DifferenceTable({ rows }: { rows: readonly DifferenceRow[] }) {
  return (
    <Table className="edit-differences" verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Saved version</Table.Th>
          <Table.Th>Your version</Table.Th>
          <Table.Th>Changed by</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, what, mine, theirs, by }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row">{what}</Table.Th>
            <Table.Td data-label="Saved version">{theirs}</Table.Td>
            <Table.Td data-label="Your version">{mine}</Table.Td>
            <Table.Td data-label="Changed by">
              <Badge variant={by === 'both' ? 'filled' : 'default'}>{WHO[by]}</Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface ConflictChoicesProps {
  onClose: () => void
  onUseTheirs: () => void
  onApplyMine: () => void
}

export function ConflictChoices({ onClose, onUseTheirs, onApplyMine }: ConflictChoicesProps) {
  return (
    <>
      <Note>
        “Apply mine on top” adds your changes to their version. You can review the result before you save.
        “Use theirs” discards your changes.
      </Note>
      <div className="edit-choices">
        <Button variant="subtle" color="gray" onClick={onClose}>
          Back to editing
        </Button>
        <Button variant="default" onClick={onUseTheirs}>
          Use theirs
        </Button>
        <Button onClick={onApplyMine} data-autofocus>
          Apply mine on top
        </Button>
      </div>
    </>
  )
}
