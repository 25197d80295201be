/** Saving and discarding, beside the price and at the bottom of a phone. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMoney } from '../format.ts'
import type { EditorState } from './use-editor.ts'

interface SaveActionsProps {
  editor: EditorState
  onSave: () => void
  onDiscard: () => void
}

export function SaveActions({ editor, onSave, onDiscard }: SaveActionsProps) {
  return (
    <Stack gap="xs">
      {editor.failure === null ? null : (
        <Alert color="red" role="alert" p="sm">
          {editor.failure}
        </Alert>
      )}
      <Group gap="sm" grow>
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
        <Button
          onClick={onSave}
          loading={editor.isSaving}
          disabled={!editor.isDirty}
          aria-keyshortcuts="Control+S"
          title="Ctrl+S"
        >
          Save
        </Button>
      </Group>
    </Stack>
  )
}

/** Keeps the total in sight on a phone, where the price panel is far below. */
export function SaveBar({ editor, children }: { editor: EditorState; children: ReactNode }) {
  const { price, stored } = editor
  return (
    <div className="edit-bar">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text size="sm" fw={600}>
          Total
        </Text>
        <Text className="app-figure" fw={700}>
          {price === null ? '—' : formatMoney(price.totalCents, stored.currency)}
        </Text>
      </Group>
      {children}
    </div>
  )
}
