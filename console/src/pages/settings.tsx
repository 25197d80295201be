/** Integrations: API keys, allowed IP addresses, and the endpoints of the plan. */
import { SimpleGrid, Stack } from '@mantine/core'
import type { SettingsAnswer } from '../../../src/console/settings.ts'
import { AllowedAddresses } from '../settings/allowed-addresses.tsx'
import { ApiKeys } from '../settings/api-keys.tsx'
import { forAdministrators } from '../settings/for-administrators.tsx'
import { PlanAccess } from '../settings/plan-access.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'
import { SettingsBones } from '../settings/skeletons.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useGet } from '../use-get.ts'

export default forAdministrators('Integrations', Integrations)

function Integrations() {
  const query = useGet<SettingsAnswer>(['settings'], 'settings')
  return (
    <>
      <PageHeader title="Integrations" subtitle="Connect your other software through the API." />
      <SettingsTabs />
      <Loaded query={query} skeleton={<SettingsBones />}>
        {(data) => (
          <Stack gap="lg">
            <ApiKeys settings={data} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" className="settings-pair">
              <AllowedAddresses saved={data.allowedIps} yourAddress={data.yourAddress} />
              <PlanAccess settings={data} />
            </SimpleGrid>
          </Stack>
        )}
      </Loaded>
    </>
  )
}
