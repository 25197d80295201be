/** Asks before something that cannot be undone. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** What will happen. */
  children: ReactNode
  /** A verb: what the button does. */
  action: string
  onConfirm: () => void
  isBusy?: boolean
  error?: Error | null
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, children, action, onConfirm, isBusy = false, error = null } = props
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={
        <Text fw={650} className="app-any-word">
          {title}
        </Text>
      }
    >
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error === null ? null : (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" onClick={onConfirm} loading={isBusy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
