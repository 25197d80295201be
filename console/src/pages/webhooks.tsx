/** Webhooks: URLs that receive the changes of the company. With `endpoint` in the URL, one of them with its deliveries. */
import { Stack } from '@mantine/core'
import { useAddressParams } from '../address-params.ts'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { ForAdministrators } from '../settings/for-administrators.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { useFocusOnTitle } from '../ui/focus-title.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorAlert, ErrorState } from '../ui/states.tsx'
import { Deliveries } from '../webhooks/deliveries.tsx'
import { EndpointList } from '../webhooks/endpoint-list.tsx'
import { EndpointPanel } from '../webhooks/endpoint-panel.tsx'
import { useEndpoints } from '../webhooks/queries.ts'
import { EndpointBones, EndpointPageBones } from '../webhooks/skeletons.tsx'
import '../webhooks/webhooks.css'

export default function Webhooks() {
  const { params } = useAddressParams()
  const id = params.get('endpoint')
  return (
    <ForAdministrators title="Webhooks">
      {id === null ? <AllEndpoints /> : <OneEndpoint key={id} id={id} />}
    </ForAdministrators>
  )
}

function AllEndpoints() {
  const { data, error, refetch } = useEndpoints()
  return (
    <>
      <PageHeader title="Webhooks" subtitle="Tell your other software about changes as they happen." />
      <SettingsTabs />
      {data === undefined ? (
        error === null ? (
          <EndpointBones />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <Stack gap="md">
          <ErrorAlert error={error} />
          <EndpointList endpoints={data.endpoints} />
        </Stack>
      )}
    </>
  )
}

function OneEndpoint({ id }: { id: string }) {
  const { data, error, refetch } = useEndpoints()
  const endpoint = data?.endpoints.find((one) => one.id === id)
  return (
    <>
      <PageHeader title="Webhook endpoint" back={<BackLink to={CONSOLE_PAGES.webhooks}>Webhooks</BackLink>} />
      {data === undefined ? (
        error === null ? (
          <EndpointPageBones />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : endpoint === undefined ? (
        <div className="app-panel">
          <EmptyState title="Not found">The endpoint was deleted, or the link is wrong.</EmptyState>
        </div>
      ) : (
        <EndpointContent endpoint={endpoint} error={error} />
      )}
    </>
  )
}

function EndpointContent({ endpoint, error }: { endpoint: WebhookEndpointShown; error: Error | null }) {
  useFocusOnTitle()
  return (
    <Stack gap="lg">
      <ErrorAlert error={error} />
      <EndpointPanel endpoint={endpoint} />
      <Deliveries endpoint={endpoint} />
    </Stack>
  )
}
