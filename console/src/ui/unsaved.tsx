/** Unsaved changes: the bar that saves them, and the question before they are lost. */
import { Button, Stack, Text } from '@mantine/core'
import type { LeaveGuard } from '../quote-edit/leave-guard.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { ErrorAlert } from './states.tsx'
import './unsaved.css'

interface SaveBarProps {
  form: { isDirty: boolean; isSaving: boolean; failure: Error | null; discard: () => void }
  /** The label of the button that submits the form. */
  action: string
}

export function SaveBar({ form, action }: SaveBarProps) {
  if (!form.isDirty) return null
  return (
    <div className="unsaved">
      <Stack gap="xs">
        <Text size="sm" role="status">
          You have unsaved changes.
        </Text>
        <ErrorAlert error={form.failure} />
      </Stack>
      <Button variant="default" onClick={form.discard} disabled={form.isSaving}>
        Discard changes
      </Button>
      <Button type="submit" loading={form.isSaving}>
        {action}
      </Button>
    </div>
  )
}

/** `record` is what was changed, such as `this quote`. */
export function LeaveDialog({ guard, record }: { guard: LeaveGuard; record: string }) {
  return (
    <ConfirmDialog
      isOpen={guard.isAsking}
      onClose={guard.stay}
      title="Discard your changes?"
      action="Discard changes"
      onConfirm={guard.leave}
    >
      Your changes to {record} are not saved.
    </ConfirmDialog>
  )
}
