/** The deliveries of an endpoint, newest first. */
import { Button, Group, SegmentedControl, Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DeliveryShown } from '../../../src/console/webhook-deliveries.ts'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { useAddressParams } from '../address-params.ts'
import { formatInstant } from '../settings/request-words.ts'
import { RowArrow } from '../ui/icons.tsx'
import { Paging } from '../ui/paging.tsx'
import { EmptyState, ErrorAlert, ErrorState } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { useDeliveries, useRefresh } from './queries.ts'
import { DeliveryBones } from './skeletons.tsx'
import {
  DELIVERY_STATUS,
  countAttempts,
  describeNextAttempt,
  describeOutcome,
  shortenId,
  wordsOfDelivery,
} from './words.ts'

const FILTERS = [
  { value: '', label: 'All' },
  ...Object.entries(DELIVERY_STATUS).map(([value, [label]]) => ({ value, label })),
]

export function Deliveries({ endpoint }: { endpoint: WebhookEndpointShown }) {
  const { params, change, isDrawn } = useAddressParams()
  const refreshAll = useRefresh()
  const refresh = useMutation({ mutationFn: refreshAll })
  const query = new URLSearchParams({ endpoint: endpoint.id })
  for (const name of ['status', 'after']) {
    const value = params.get(name)
    if (value !== null) query.set(name, value)
  }
  const { data, error, refetch, isPlaceholderData } = useDeliveries(query.toString())
  const set = (name: 'status' | 'after' | 'delivery', value: string | undefined, replace = false) =>
    change(
      (next) => {
        if (name === 'status') next.delete('after')
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace },
    )
  const openedId = params.get('delivery')
  return (
    <Stack
      className="app-panel"
      p={{ base: 'md', sm: 'lg' }}
      gap="md"
      component="section"
      aria-labelledby="deliveries-title"
    >
      <Group justify="space-between" gap="sm">
        <Title order={2} id="deliveries-title">
          Deliveries
        </Title>
        <Button variant="default" size="xs" loading={refresh.isPending} onClick={() => refresh.mutate()}>
          Refresh
        </Button>
      </Group>
      <SegmentedControl
        aria-label="Status"
        className="webhook-filter"
        value={params.get('status') ?? ''}
        onChange={(status) => set('status', status, true)}
        data={FILTERS}
      />
      {data === undefined ? (
        error === null ? (
          <DeliveryBones />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <>
          <ErrorAlert error={error} />
          <div className={isPlaceholderData ? 'is-old' : undefined} aria-busy={isPlaceholderData}>
            {data.deliveries.length === 0 ? (
              <NoDeliveries isFiltered={params.has('status') || params.has('after')} />
            ) : (
              <ul className="app-list webhook-deliveries">
                {data.deliveries.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} params={params} />
                ))}
              </ul>
            )}
          </div>
          <Paging
            isFirst={!params.has('after')}
            hasMore={data.hasMore}
            isOld={isPlaceholderData}
            onFirst={() => set('after', undefined)}
            // The cursor of an outdated list does not apply to the new filter.
            onMore={() =>
              isPlaceholderData || !isDrawn() ? undefined : set('after', data.deliveries.at(-1)?.id)
            }
          />
        </>
      )}
      <DeliveryDialog id={openedId} endpoint={endpoint} onClose={() => set('delivery', undefined, true)} />
    </Stack>
  )
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No matching deliveries">Choose another status.</EmptyState>
  ) : (
    <EmptyState title="No deliveries yet">
      Changes that are sent to this endpoint appear here. They are kept for 30 days.
    </EmptyState>
  )
}

interface DeliveryRowProps {
  delivery: DeliveryShown
  params: URLSearchParams
}

function DeliveryRow({ delivery, params }: DeliveryRowProps) {
  const { id, subject, changedAt, status, attempts } = delivery
  const [name, tone] = DELIVERY_STATUS[status]
  const last = attempts.at(-1)
  const at = changedAt ?? last?.at
  const next = describeNextAttempt(delivery)
  const query = new URLSearchParams(params)
  query.set('delivery', id)
  return (
    <li className="app-row webhook-delivery">
      <div className="webhook-delivery-status">
        <Status tone={tone} className="webhook-status">
          {name}
        </Status>
      </div>
      <div className="webhook-delivery-change">
        <Link to={`?${query}`} className="app-row-name">
          {wordsOfDelivery(delivery)}
        </Link>
        <div className="webhook-subject settings-mono" title={subject?.id}>
          {subject === null ? null : shortenId(subject.id)}
        </div>
      </div>
      <div className="webhook-delivery-result">
        {last === undefined ? null : <div>{describeOutcome(last)}</div>}
        <div className="webhook-dimmed">
          {countAttempts(delivery)}
          {next === null ? null : ` · ${next}`}
        </div>
      </div>
      <div className="webhook-delivery-time webhook-dimmed app-figure">
        {at === undefined ? null : <time dateTime={at}>{formatInstant(at)}</time>}
      </div>
      <RowArrow />
    </li>
  )
}
