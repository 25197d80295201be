/** Another user saved the record first: shows both versions of each field and asks which one to keep. */
import { Button, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { StoredRecord } from '../../../src/console/records.ts'
import '../quote-edit/dialogs.css'
import { ErrorAlert } from '../ui/states.tsx'
import { fieldText } from './cells.ts'
import type { Field, KindView } from './kind-view.ts'
import { isSame } from './values.ts'
import type { Values } from './values.ts'

export interface Conflict {
  /** The record that was edited, the values to save, and the stored record. */
  base: StoredRecord
  mine: Values
  theirs: StoredRecord
  /** Names of records that `mine` refers to. */
  names: Values
}

interface ConflictDialogProps {
  view: KindView
  /** Null: there is no conflict. */
  conflict: Conflict | null
  currency: string
  onSave: (values: Values) => void
  onClose: () => void
  isBusy: boolean
  error: Error | null
}

export function ConflictDialog(props: ConflictDialogProps) {
  const { view, conflict, onClose } = props
  const isArchived = conflict !== null && conflict.theirs.archivedAt !== null
  return (
    <Modal
      opened={conflict !== null}
      onClose={onClose}
      size="lg"
      title={`Someone else ${isArchived ? 'archived' : 'changed'} this ${view.noun}`}
    >
      {conflict === null ? null : isArchived ? (
        <Archived view={view} onClose={onClose} />
      ) : (
        <Choices key={conflict.theirs.updatedAt} {...props} conflict={conflict} />
      )}
    </Modal>
  )
}

/** Archived records cannot be saved. Values that quotes use are archived when they are replaced. */
function Archived({ view, onClose }: Pick<ConflictDialogProps, 'view' | 'onClose'>) {
  return (
    <Stack>
      <Text size="sm">
        {`It was archived or replaced by a new one while you were editing, so your changes cannot be saved. What you typed stays in the form until you leave it. Cancel the form to restore the ${view.noun}, or find the new one in the list.`}
      </Text>
      <div className="edit-choices">
        <Button onClick={onClose} data-autofocus>
          Back to editing
        </Button>
      </div>
    </Stack>
  )
}

type Choice = 'mine' | 'theirs'

function Choices({
  view,
  conflict,
  currency,
  onSave,
  onClose,
  isBusy,
  error,
}: ConflictDialogProps & { conflict: Conflict }) {
  const { base, mine, theirs, names } = conflict
  const fields = view.fields.filter(({ name }) => !isSame(mine[name], theirs[name]))
  const [choices, setChoices] = useState<Record<string, Choice>>(() =>
    Object.fromEntries(
      fields.map(({ name }) => [name, isSame(mine[name], base[name]) ? 'theirs' : 'mine'] as const),
    ),
  )
  const save = () =>
    onSave(
      Object.fromEntries(
        fields.filter(({ name }) => choices[name] === 'mine').map(({ name }) => [name, mine[name]]),
      ),
    )
  return (
    <Stack>
      <Text size="sm">
        Someone else saved it while you were editing. Nothing you typed is lost. Choose what to keep.
      </Text>
      {fields.length === 0 ? <Text size="sm">Both versions are the same.</Text> : null}
      {fields.map((field) => (
        <FieldChoice
          key={field.name}
          field={field}
          mine={fieldText(field, { ...theirs, ...mine, ...names }, currency)}
          theirs={fieldText(field, theirs, currency)}
          value={choices[field.name] ?? 'theirs'}
          onChange={(choice) => setChoices((now) => ({ ...now, [field.name]: choice }))}
        />
      ))}
      <ErrorAlert error={error} />
      <div className="edit-choices">
        <Button variant="subtle" color="gray" onClick={onClose}>
          Back to editing
        </Button>
        <Button onClick={save} loading={isBusy} data-autofocus>
          Save
        </Button>
      </div>
    </Stack>
  )
}

interface FieldChoiceProps {
  field: Field
  mine: string
  theirs: string
  value: Choice
  onChange: (choice: Choice) => void
}

function FieldChoice({ field, mine, theirs, value, onChange }: FieldChoiceProps) {
  return (
    <Radio.Group label={field.label} value={value} onChange={onChange}>
      <Stack gap={6} mt={4}>
        <Radio value="mine" label={labelOf('Mine', mine)} classNames={{ label: 'app-wrap edit-version' }} />
        <Radio
          value="theirs"
          label={labelOf('Theirs', theirs)}
          classNames={{ label: 'app-wrap edit-version' }}
        />
      </Stack>
    </Radio.Group>
  )
}

/** Several lines begin below the name of the version. */
function labelOf(version: string, text: string): string {
  if (text === '') return `${version}: empty`
  return text.includes('\n') ? `${version}:\n${text}` : `${version}: ${text}`
}
