/** The endpoints of the company. */
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { PlusIcon, RowArrow } from '../ui/icons.tsx'
import { Panel } from '../ui/panel.tsx'
import { EmptyPanel } from '../ui/states.tsx'
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
    <>
      {endpoints.length === 0 ? (
        <NoEndpoints add={add} />
      ) : (
        <Panel
          title="Endpoints"
          note="URLs of your software. Open one to test it and to see its deliveries."
          actions={add}
        >
          <ul className="app-list webhook-endpoints">
            {endpoints.map((endpoint) => (
              <EndpointRow key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        </Panel>
      )}
      <EndpointDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  )
}

function NoEndpoints({ add }: { add: React.ReactNode }) {
  return (
    <EmptyPanel
      title="No endpoints yet"
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
    </EmptyPanel>
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
