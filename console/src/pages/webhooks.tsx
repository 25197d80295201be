/** Webhooks: URLs that receive the changes of the company. With `endpoint` in the URL, one of them with its deliveries. */
import { Stack } from '@mantine/core'
import { useAddressParams } from '../address-params.ts'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { forAdministrators } from '../settings/for-administrators.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { BackLink } from '../ui/back-link.tsx'
import { useFocusOnTitle } from '../ui/focus-title.ts'
import { Loaded } from '../ui/loaded.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyPanel, ErrorAlert } from '../ui/states.tsx'
import { Deliveries } from '../webhooks/deliveries.tsx'
import { EndpointList } from '../webhooks/endpoint-list.tsx'
import { EndpointPanel } from '../webhooks/endpoint-panel.tsx'
import { useEndpoints } from '../webhooks/queries.ts'
import { EndpointBones, EndpointPageBones } from '../webhooks/skeletons.tsx'
import '../webhooks/webhooks.css'

export default forAdministrators('Webhooks', Webhooks)

function Webhooks() {
  const { params } = useAddressParams()
  const id = params.get('endpoint')
  return id === null ? <AllEndpoints /> : <OneEndpoint key={id} id={id} />
}

function AllEndpoints() {
  const query = useEndpoints()
  return (
    <>
      <PageHeader title="Webhooks" subtitle="Tell your other software about changes as they happen." />
      <SettingsTabs />
      <Loaded query={query} skeleton={<EndpointBones />}>
        {(data) => (
          <Stack gap="md">
            <ErrorAlert error={query.error} />
            <EndpointList endpoints={data.endpoints} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function OneEndpoint({ id }: { id: string }) {
  const query = useEndpoints()
  return (
    <>
      <PageHeader title="Webhook endpoint" back={<BackLink to={CONSOLE_PAGES.webhooks}>Webhooks</BackLink>} />
      <Loaded query={query} skeleton={<EndpointPageBones />}>
        {({ endpoints }) => (
          <EndpointContent endpoint={endpoints.find((one) => one.id === id)} error={query.error} />
        )}
      </Loaded>
    </>
  )
}

interface EndpointContentProps {
  endpoint: WebhookEndpointShown | undefined
  error: Error | null
}

function EndpointContent({ endpoint, error }: EndpointContentProps) {
  useFocusOnTitle()
  if (endpoint === undefined)
    return <EmptyPanel title="Not found">The endpoint was deleted, or the link is wrong.</EmptyPanel>
  return (
    <Stack gap="lg">
      <ErrorAlert error={error} />
      <EndpointPanel endpoint={endpoint} />
      <Deliveries endpoint={endpoint} />
    </Stack>
  )
}
