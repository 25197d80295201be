/** A dialog that creates a secret and shows it once. */
import { Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyBlock } from '../ui/copy-block.tsx'

interface SecretDialogProps {
  isOpen: boolean
  onClose: () => void
  /** After the dialog has closed, so that its content does not change before. */
  onClosed: () => void
  title: string
  /** False while the secret is created and shown: only the button of the content closes the dialog then. */
  mayClose: boolean
  children: ReactNode
}

export function SecretDialog({ isOpen, onClose, onClosed, title, mayClose, children }: SecretDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      size="lg"
      title={title}
      closeOnClickOutside={mayClose}
      closeOnEscape={mayClose}
      withCloseButton={mayClose}
    >
      {children}
    </Modal>
  )
}

interface NewSecretProps {
  /** Such as `API key`. */
  name: string
  secret: string
}

export function NewSecret({ name, secret }: NewSecretProps) {
  return (
    <Stack gap="xs">
      <CopyBlock title={`Your ${name}`} text={secret} label={`Copy ${name}`} isFocused />
      <Text size="sm">
        <strong>Copy it now.</strong> You cannot see it again. Store it like a password.
      </Text>
    </Stack>
  )
}
