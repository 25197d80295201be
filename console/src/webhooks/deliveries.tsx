/** The deliveries of an endpoint, newest first. */
import { Button, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DeliveryShown } from '../../../src/console/webhook-deliveries.ts'
import type { WebhookEndpointShown } from '../../../src/console/webhooks.ts'
import { useAddressParams } from '../address-params.ts'
import { formatInstant } from '../settings/request-words.ts'
import { RowArrow } from '../ui/icons.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Paging } from '../ui/paging.tsx'
import { Panel } from '../ui/panel.tsx'
import { EmptyState, ErrorAlert } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { useDeliveries, refreshWebhooks } from './queries.ts'
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
  const { params, set, isDrawn } = useAddressParams()
  const refresh = useMutation({ mutationFn: refreshWebhooks })
  const query = new URLSearchParams({ endpoint: endpoint.id })
  for (const name of ['status', 'after']) {
    const value = params.get(name)
    if (value !== null) query.set(name, value)
  }
  const answer = useDeliveries(query.toString())
  const { error, isPlaceholderData } = answer
  const openedId = params.get('delivery')
  return (
    <Panel
      title="Deliveries"
      p={{ base: 'md', sm: 'lg' }}
      actions={
        <Button variant="default" size="xs" loading={refresh.isPending} onClick={() => refresh.mutate()}>
          Refresh
        </Button>
      }
    >
      <SegmentedControl
        aria-label="Status"
        className="webhook-filter"
        value={params.get('status') ?? ''}
        onChange={(status) => set('status', status, { replace: true, cursor: 'after' })}
        data={FILTERS}
      />
      <Loaded query={answer} skeleton={<DeliveryBones />}>
        {(data) => (
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
              isDrawn={isDrawn}
              onFirst={() => set('after', null)}
              onMore={() => set('after', data.deliveries.at(-1)?.id)}
            />
          </>
        )}
      </Loaded>
      <DeliveryDialog
        id={openedId}
        endpoint={endpoint}
        onClose={() => set('delivery', null, { replace: true })}
      />
    </Panel>
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
