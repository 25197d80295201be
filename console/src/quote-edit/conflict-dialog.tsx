/** Another user saved the quote first: shows both versions and asks which changes to keep. */
import { Badge, Button, Modal, Stack, Table, Text } from '@mantine/core'
import type { QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalog } from '../../../src/core/quotes/quote-edit.ts'
import { Note } from '../ui/note.ts'
import type { Difference } from './quote-rebase.ts'
import { formatMoney } from '../format.ts'
import { describeDifference } from './labels.ts'
import './dialogs.css'

interface ConflictDialogProps {
  /** Null: there is no conflict. */
  differences: readonly Difference[] | null
  currency: string
  catalog: Catalog
  choices: QuoteChoices
  timeZone: string | null
  days: ReadonlyMap<string, string>
  mineCents: number
  theirsCents: number
  onUseTheirs: () => void
  onApplyMine: () => void
  onClose: () => void
}

const WHO = { me: 'you', them: 'them', both: 'both' }

export function ConflictDialog(props: ConflictDialogProps) {
  const { differences, onClose } = props
  return (
    <Modal opened={differences !== null} onClose={onClose} size="xl" title="Someone else changed this quote">
      {differences === null ? null : <Conflict {...props} differences={differences} />}
    </Modal>
  )
}

function Conflict(props: ConflictDialogProps & { differences: readonly Difference[] }) {
  const { differences, currency, mineCents, theirsCents, onUseTheirs, onApplyMine, onClose } = props
  return (
    <Stack>
      <Text size="sm">
        Someone else saved this quote while you were editing. Your changes are not saved, but nothing is lost.
        Compare the two versions and choose how to continue.
      </Text>
      <div className="edit-totals">
        <div>
          <Note>Saved version</Note>
          <Text className="app-figure" fw={650} fz="lg">
            {formatMoney(theirsCents, currency)}
          </Text>
        </div>
        <div>
          <Note>Your version</Note>
          <Text className="app-figure" fw={650} fz="lg">
            {formatMoney(mineCents, currency)}
          </Text>
        </div>
      </div>
      {differences.length === 0 ? (
        <Text size="sm">Both versions have the same lines and terms.</Text>
      ) : (
        <Differences {...props} />
      )}
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
    </Stack>
  )
}

/** New lines have no id. */
function keyOf(difference: Difference): string {
  if (difference.subject === 'quote') return difference.field
  if (difference.subject === 'day') return `day ${difference.id}`
  if (difference.subject === 'order') return 'order'
  const { id, ...line } = difference.line
  return JSON.stringify([id ?? line, difference.subject === 'line' ? difference.field : null])
}

function Differences({
  differences,
  ...names
}: ConflictDialogProps & { differences: readonly Difference[] }) {
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
        {differences.map((difference) => {
          const { what, mine, theirs } = describeDifference(difference, names)
          return (
            <Table.Tr key={keyOf(difference)}>
              <Table.Th scope="row">{what}</Table.Th>
              <Table.Td data-label="Saved version">{theirs}</Table.Td>
              <Table.Td data-label="Your version">{mine}</Table.Td>
              <Table.Td data-label="Changed by">
                <Badge variant={difference.by === 'both' ? 'filled' : 'default'}>{WHO[difference.by]}</Badge>
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
