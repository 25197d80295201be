/** Another user saved the quote first: shows both versions and asks which changes to keep. */
import { Modal, Stack, Text } from '@mantine/core'
import type { QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalog } from '../../../src/core/quotes/quote-edit.ts'
import { ConflictChoices, DifferenceTable } from '../ui/conflict.tsx'
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

export function ConflictDialog(props: ConflictDialogProps) {
  const { differences, onClose } = props
  return (
    <Modal opened={differences !== null} onClose={onClose} size="xl" title="Someone else changed this quote">
      {differences === null ? null : <Conflict {...props} differences={differences} />}
    </Modal>
  )
}

function Conflict(props: ConflictDialogProps & { differences: readonly Difference[] }) {
  const { differences, currency, mineCents, theirsCents } = props
  return (
    <Stack>
      <Text size="sm">
        Someone else saved this quote while you were editing. Your changes are not saved, but nothing is lost.
        Compare the two versions and choose how to continue.
      </Text>
      <div className="edit-totals">
        <Total name="Saved version">{formatMoney(theirsCents, currency)}</Total>
        <Total name="Your version">{formatMoney(mineCents, currency)}</Total>
      </div>
      {differences.length === 0 ? (
        <Text size="sm">Both versions have the same lines and terms.</Text>
      ) : (
        <DifferenceTable
          rows={differences.map((difference) => ({
            key: keyOf(difference),
            by: difference.by,
            ...describeDifference(difference, props),
          }))}
        />
      )}
      <ConflictChoices {...props} />
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

function Total({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <Note>{name}</Note>
      <Text className="app-figure" fw={650} fz="lg">
        {children}
      </Text>
    </div>
  )
}
