/** Someone else saved the profile first: shows both versions and asks which changes to keep. */
import { Modal, Stack, Text } from '@mantine/core'
import type { CompanyAnswer } from '../../../src/console/company.ts'
import { ConflictChoices, DifferenceTable } from '../ui/conflict.tsx'
import { LABELS, valuesOf } from './profile.ts'
import type { FieldName, Values } from './profile.ts'
import type { ProfileState } from './use-profile.ts'

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
          {differences.length === 0 ? (
            <Text size="sm">Both versions are the same.</Text>
          ) : (
            <DifferenceTable
              rows={differences.map(({ field, by }) => ({
                key: field,
                what: LABELS[field],
                mine: describe(field, form.draft, theirs),
                theirs: describe(field, valuesOf(theirs), theirs),
                by,
              }))}
            />
          )}
          <ConflictChoices
            onClose={form.closeConflict}
            onUseTheirs={form.useTheirs}
            onApplyMine={form.applyMine}
          />
        </Stack>
      )}
    </Modal>
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
