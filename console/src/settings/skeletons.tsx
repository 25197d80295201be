/** Skeletons of the integrations pages, in the shape of their content. */
import { Group, SimpleGrid, Stack } from '@mantine/core'
import { Bone, Loading, PanelBones, countTo } from '../loading.tsx'

const KEYS = 3
const REQUESTS = 8

export function SettingsBones() {
  return (
    <Loading label="Loading the settings">
      <Stack gap="lg">
        <Stack className="app-panel" p="lg" gap="lg">
          <Group justify="space-between">
            <Bone width={120} height={20} />
            <Bone width={150} height={36} />
          </Group>
          {countTo(KEYS).map((key) => (
            <Row key={key} widths={['22%', '13%', '14%', '15%', 72]} />
          ))}
        </Stack>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" className="settings-pair">
          <PanelBones lines={3} title={190} />
          <PanelBones lines={6} title={90} />
        </SimpleGrid>
      </Stack>
    </Loading>
  )
}

export function RequestLogBones() {
  return (
    <Loading label="Loading the request log">
      <Stack className="app-panel" p={{ base: 'md', sm: 'lg' }} gap="lg">
        {countTo(REQUESTS).map((request) => (
          <Row key={request} widths={['13%', '12%', '40%', '14%', 56]} />
        ))}
      </Stack>
    </Loading>
  )
}

/** No width twice: it is the key. */
function Row({ widths }: { widths: (number | string)[] }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      {widths.map((width) => (
        <Bone key={width} width={width} />
      ))}
    </Group>
  )
}
