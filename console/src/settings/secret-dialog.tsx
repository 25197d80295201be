/** A dialog that creates a secret and shows it once. */
import { Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'

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
  const copy = useRef<HTMLButtonElement>(null)
  // The form is gone, so the focus moves here.
  useEffect(() => copy.current?.focus(), [])
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={550} id="new-secret">
          Your {name}
        </Text>
        <CopyButton text={secret} label={`Copy ${name}`} ref={copy} />
      </Group>
      <pre className="app-code" aria-labelledby="new-secret">
        {secret}
      </pre>
      <Text size="sm">
        <strong>Copy it now.</strong> You cannot see it again. Store it like a password.
      </Text>
    </Stack>
  )
}
