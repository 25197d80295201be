/** Somebody else saved meanwhile: both versions side by side, and nothing is lost before one of them is chosen. */
import { Badge, Button, Modal, Stack, Table, Text } from '@mantine/core'
import type { Catalogue } from '../../../src/core/quote-edit.ts'
import type { Difference } from '../../../src/core/quote-rebase.ts'
import { formatMoney } from '../format.ts'
import { describeDifference } from './labels.ts'

interface ConflictDialogProps {
  /** Null: there is no conflict. */
  differences: readonly Difference[] | null
  currency: string
  catalogue: Catalogue
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
    <Modal
      opened={differences !== null}
      onClose={onClose}
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
      title={<Text fw={650}>The quote was changed meanwhile</Text>}
    >
      {differences === null ? null : <Conflict {...props} differences={differences} />}
    </Modal>
  )
}

function Conflict(props: ConflictDialogProps & { differences: readonly Difference[] }) {
  const { differences, currency, mineCents, theirsCents, onUseTheirs, onApplyMine, onClose } = props
  return (
    <Stack>
      <Text size="sm">
        Somebody else saved this quote while you were editing it. Nothing of yours was saved, and nothing of
        it is lost. Compare, and decide how to go on.
      </Text>
      <div className="edit-totals">
        <div>
          <Text size="sm" c="dimmed">
            Stored now
          </Text>
          <Text className="app-figure" fw={650} fz="lg">
            {formatMoney(theirsCents, currency)}
          </Text>
        </div>
        <div>
          <Text size="sm" c="dimmed">
            Yours
          </Text>
          <Text className="app-figure" fw={650} fz="lg">
            {formatMoney(mineCents, currency)}
          </Text>
        </div>
      </div>
      {differences.length === 0 ? (
        <Text size="sm">Both have the same content: only what surrounds it was changed.</Text>
      ) : (
        <Differences {...props} />
      )}
      <Text size="sm" c="dimmed">
        “Apply mine on top” keeps their changes and puts yours over them; you can look at the result before
        you save. “Use theirs” drops what you changed.
      </Text>
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

/** Lines of one's own have no id, but differ in what they are. */
function keyOf(difference: Difference): string {
  if (difference.subject === 'quote') return difference.field
  const { id, ...line } = difference.line
  return JSON.stringify([id ?? line, difference.subject === 'line' ? difference.field : null])
}

function Differences({
  differences,
  currency,
  catalogue,
  days,
}: ConflictDialogProps & { differences: readonly Difference[] }) {
  return (
    <Table className="edit-differences" verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th>Stored now</Table.Th>
          <Table.Th>Yours</Table.Th>
          <Table.Th>Changed by</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {differences.map((difference) => {
          const { what, mine, theirs } = describeDifference(difference, { catalogue, currency, days })
          return (
            <Table.Tr key={keyOf(difference)}>
              <Table.Th scope="row">{what}</Table.Th>
              <Table.Td data-label="Stored now">{theirs}</Table.Td>
              <Table.Td data-label="Yours">{mine}</Table.Td>
              <Table.Td data-label="Changed by">
                <Badge variant={difference.by === 'both' ? 'filled' : 'default'} tt="none">
                  {WHO[difference.by]}
                </Badge>
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
