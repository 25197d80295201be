/** The plan and its API endpoints. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { SettingsAnswer } from '../../../src/console/settings.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'

const PLAN_NAMES: Record<SettingsAnswer['plan'], string> = {
  BASIC: 'Basic',
  PRO: 'Pro',
  PREMIUM: 'Premium',
  LEGACY_PRO: 'Legacy Pro',
}

export function PlanAccess({ settings: { plan, endpoints } }: { settings: SettingsAnswer }) {
  const included = endpoints.filter(({ isIncluded }) => isIncluded).length
  return (
    <Stack className="app-panel" p="lg" gap="md" component="section" aria-labelledby="plan-title">
      <Stack gap={2}>
        <Group gap="sm">
          <Title order={2} id="plan-title">
            Plan
          </Title>
          <Badge tt="uppercase">{PLAN_NAMES[plan]}</Badge>
        </Group>
        <Note>
          {included === 0
            ? 'Your plan does not include the API. Every request fails.'
            : included === endpoints.length
              ? 'Includes the whole API.'
              : `Includes ${included} of ${endpoints.length} API endpoints.`}
        </Note>
      </Stack>
      <ul className="app-list settings-endpoints">
        {endpoints.map(({ method, path, summary, isIncluded }) => (
          <li key={`${method} ${path}`}>
            <span className="settings-mono settings-method">{method}</span>
            <Stack gap={0}>
              <span className="settings-mono settings-path">{path}</span>
              <Text size="xs" c="dimmed">
                {summary}
              </Text>
            </Stack>
            {isIncluded ? (
              <Text size="xs" component="span" className="settings-included">
                <CheckIcon /> <span>Included</span>
              </Text>
            ) : (
              <Text size="xs" component="span" c="dimmed">
                Not included
              </Text>
            )}
          </li>
        ))}
      </ul>
      <Group gap="xs">
        <Button component="a" href="docs" variant="default" size="xs">
          API reference
        </Button>
        <Button component="a" href="api/openapi.json" variant="default" size="xs">
          OpenAPI document
        </Button>
      </Group>
    </Stack>
  )
}
