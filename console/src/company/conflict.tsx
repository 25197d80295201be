/** Someone else saved the profile first: shows both versions and asks which changes to keep. */
import { Badge, Button, Modal, Stack, Table, Text } from '@mantine/core'
import type { CompanyAnswer } from '../../../src/console/company.ts'
import '../quote-edit/dialogs.css'
import { Note } from '../ui/note.ts'
import { LABELS, valuesOf } from './profile.ts'
import type { FieldName, Values } from './profile.ts'
import type { ProfileState } from './use-profile.ts'

const WHO = { me: 'you', them: 'them', both: 'both' }

export function ConflictDialog({ form }: { form: ProfileState }) {
  const { differences, theirs } = form
  return (
    <Modal
      opened={theirs !== null}
      onClose={form.closeConflict}
      size="xl"
      title="Someone else changed the company profile"
    >
      {differences === null || theirs === null ? null : (
        <Stack>
          <Text size="sm">
            Someone else saved the profile while you were editing. Your changes are not saved, but nothing is
            lost. Compare the two versions and choose how to continue.
          </Text>
          <Differences form={form} theirs={theirs} />
          <Note>
            “Apply mine on top” adds your changes to their version. You can review the result before you save.
            “Use theirs” discards your changes.
          </Note>
          <div className="edit-choices">
            <Button variant="subtle" color="gray" onClick={form.closeConflict}>
              Back to editing
            </Button>
            <Button variant="default" onClick={form.useTheirs}>
              Use theirs
            </Button>
            <Button onClick={form.applyMine} data-autofocus>
              Apply mine on top
            </Button>
          </div>
        </Stack>
      )}
    </Modal>
  )
}

function Differences({ form, theirs }: { form: ProfileState; theirs: CompanyAnswer }) {
  if (form.differences?.length === 0) return <Text size="sm">Both versions are the same.</Text>
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
        {form.differences?.map(({ field, by }) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{LABELS[field]}</Table.Th>
            <Table.Td data-label="Saved version">{describe(field, valuesOf(theirs), theirs)}</Table.Td>
            <Table.Td data-label="Your version">{describe(field, form.draft, theirs)}</Table.Td>
            <Table.Td data-label="Changed by">
              <Badge variant={by === 'both' ? 'filled' : 'default'}>{WHO[by]}</Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** A value for people: names instead of ids, and no image as text. */
function describe(field: FieldName, values: Values, { choices }: CompanyAnswer): string {
  const value = values[field]
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  if (field === 'logo') return String(value).startsWith('data:') ? 'new image' : 'saved image'
  const named = Object.values(choices).flat()
  const nameOf = (id: string) => named.find((entry) => entry.id === id)?.name ?? id
  if (Array.isArray(value)) return value.map(nameOf).join(', ')
  return field.endsWith('Id') ? nameOf(String(value)) : String(value)
}
