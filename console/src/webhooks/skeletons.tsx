/** Skeletons of the webhooks page, in the shape of its content. */
import { Group, Stack } from '@mantine/core'
import { Bone, Loading, TextBone, countTo } from '../loading.tsx'

const ENDPOINTS = 2
const DELIVERIES = 6

export function EndpointBones() {
  return (
    <Loading label="Loading the endpoints">
      <Stack className="app-panel" p="lg" gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2}>
            <TextBone width={110} fz="lg" lh={1.35} />
            <TextBone width={250} />
          </Stack>
          <Bone width={148} height={36} />
        </Group>
        <div className="webhook-endpoints">
          {countTo(ENDPOINTS).map((endpoint) => (
            <div key={endpoint} className="webhook-endpoint">
              <div className="webhook-endpoint-row">
                <div className="webhook-endpoint-name">
                  <TextBone width="80%" />
                  <Bone width={110} height={24} />
                </div>
                <div className="webhook-status-bone">
                  <Bone width={70} height={24} radius="xl" />
                </div>
              </div>
            </div>
          ))}
        </div>
      </Stack>
    </Loading>
  )
}

/** The page of one endpoint. */
export function EndpointPageBones() {
  return (
    <Loading label="Loading the endpoint">
      <Stack gap="lg">
        <Stack className="app-panel" p={{ base: 'md', sm: 'lg' }} gap="md">
          <Stack gap={6}>
            <Group justify="space-between" wrap="nowrap">
              <TextBone width={320} />
              <Bone width={76} height={22} radius="xl" />
            </Group>
            <TextBone width={180} />
            <Bone width={110} height={22} />
          </Stack>
          <Group gap="xs">
            {[120, 52, 104, 88, 70, 64].map((width) => (
              <Bone key={width} width={width} height={30} />
            ))}
          </Group>
        </Stack>
        <Stack className="app-panel" p={{ base: 'md', sm: 'lg' }} gap="md">
          <Group justify="space-between">
            <Bone width={110} height={24} />
            <Bone width={78} height={30} />
          </Group>
          <Bone width={340} height={36} />
          <DeliveryRows />
        </Stack>
      </Stack>
    </Loading>
  )
}

export function DeliveryBones() {
  return (
    <Loading label="Loading the deliveries">
      <DeliveryRows />
    </Loading>
  )
}

function DeliveryRows() {
  return (
    <div className="webhook-deliveries">
      {countTo(DELIVERIES).map((delivery) => (
        <div key={delivery} className="webhook-delivery">
          <div className="webhook-delivery-status">
            <Bone width={76} height={22} radius="xl" />
          </div>
          <div className="webhook-delivery-change">
            <TextBone width={120} />
            <TextBone width="70%" fz="xs" />
          </div>
          <div className="webhook-delivery-result">
            <TextBone width={70} />
            <TextBone width={90} />
          </div>
          <div className="webhook-delivery-time">
            <TextBone width={110} />
          </div>
        </div>
      ))}
    </div>
  )
}
