/** The endpoints of the company. */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { PlusIcon, RowArrow } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { EmptyState } from '../ui/states.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { DisabledNote, EndpointStatus, EndpointTypes } from './endpoint-parts.tsx'

const TYPES_SHOWN = 5

export function EndpointList({ endpoints }: { endpoints: readonly WebhookEndpointShown[] }) {
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button leftSection={<PlusIcon />} onClick={() => setAdding(true)}>
      Add endpoint
    </Button>
  )
  return (
    <Stack className="app-panel" p="lg" gap="md" component="section" aria-labelledby="endpoints-title">
      {endpoints.length === 0 ? (
        <NoEndpoints add={add} />
      ) : (
        <>
          <Group justify="space-between" align="flex-start" gap="sm">
            <Stack gap={2}>
              <Title order={2} id="endpoints-title">
                Endpoints
              </Title>
              <Note>URLs of your software. Open one to test it and to see its deliveries.</Note>
            </Stack>
            {add}
          </Group>
          <ul className="app-list webhook-endpoints">
            {endpoints.map((endpoint) => (
              <EndpointRow key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        </>
      )}
      <EndpointDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Stack>
  )
}

function NoEndpoints({ add }: { add: React.ReactNode }) {
  return (
    <EmptyState
      title="No endpoints yet"
      titleId="endpoints-title"
      action={
        <Group justify="center" gap="sm" mt="sm">
          {add}
          <Button component="a" href="docs#webhooks" variant="default">
            Read the guide
          </Button>
        </Group>
      }
    >
      Webhooks tell your other software about changes as they happen: a quote is booked, an event is
      rescheduled, an invoice is paid. Add the URL that receives them.
    </EmptyState>
  )
}

function EndpointRow({ endpoint }: { endpoint: WebhookEndpointShown }) {
  const { id, url, description } = endpoint
  return (
    <li className="webhook-endpoint">
      <div className="app-row webhook-endpoint-row">
        <div className="webhook-endpoint-name">
          <Link
            to={`?endpoint=${encodeURIComponent(id)}`}
            className="app-row-name settings-mono"
            title={url.length > 100 ? url : undefined}
          >
            {url}
          </Link>
          {description === null ? null : (
            <Text size="sm" lineClamp={2} className="app-wrap">
              {description}
            </Text>
          )}
          <EndpointTypes endpoint={endpoint} most={TYPES_SHOWN} />
        </div>
        <EndpointStatus endpoint={endpoint} />
        <RowArrow />
      </div>
      <DisabledNote endpoint={endpoint} />
    </li>
  )
}
