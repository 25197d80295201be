/** Asks before something that cannot be undone. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorAlert } from './states.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** What will happen. */
  children: ReactNode
  /** The label of the button: a verb and an object. */
  action: string
  onConfirm: () => void
  /** The action, if it takes time. */
  mutation?: { isPending: boolean; error: Error | null }
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, children, action, onConfirm, mutation } = props
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <ErrorAlert error={mutation?.error ?? null} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" onClick={onConfirm} loading={mutation?.isPending === true}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
