/** Says that the form is not empty because the user began it earlier. */
import { Alert, Button, Group, Text } from '@mantine/core'

export function BegunNote({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Alert color="blue" role="status" p="sm" mb="md" className="new-quote">
      <Group justify="space-between" gap="sm">
        <Text size="sm">You began this quote earlier.</Text>
        <Button variant="default" size="xs" onClick={onStartOver}>
          Start over
        </Button>
      </Group>
    </Alert>
  )
}
