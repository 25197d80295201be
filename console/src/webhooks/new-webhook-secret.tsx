/** A new signing secret, which is shown once. */
import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { NewSecret } from '../settings/secret-dialog.tsx'

interface NewWebhookSecretProps {
  secret: string
  onDone: () => void
  children: ReactNode
}

export function NewWebhookSecret({ secret, onDone, children }: NewWebhookSecretProps) {
  return (
    <Stack gap="lg">
      <NewSecret name="signing secret" secret={secret} />
      <Text size="sm">{children}</Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>I have saved the secret</Button>
      </Group>
    </Stack>
  )
}
