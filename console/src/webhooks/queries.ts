/** Reads webhook endpoints and deliveries, and keeps them current. */
import { keepPreviousData } from '@tanstack/react-query'
import type { DeliveriesAnswer, DeliveryAnswer } from '../../../src/console/webhook-deliveries.ts'
import type { WebhooksAnswer } from '../../../src/console/webhooks.ts'
import { queryClient } from '../call.ts'
import { useGet } from '../use-get.ts'
import { isDueSoon } from './words.ts'

/** The service disables endpoints, too. */
const ENDPOINTS_MS = 10_000
const DUE_MS = 3_000
const LATER_MS = 30_000

export function useEndpoints() {
  return useGet<WebhooksAnswer>(['webhooks', 'endpoints'], 'webhooks', { refetchInterval: ENDPOINTS_MS })
}

export function useDeliveries(query: string) {
  return useGet<DeliveriesAnswer>(['webhooks', 'deliveries', query], `webhook-deliveries?${query}`, {
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isDueSoon) === true ? DUE_MS : LATER_MS),
  })
}

export function useDelivery(id: string) {
  return useGet<DeliveryAnswer>(
    ['webhooks', 'delivery', id],
    `webhook-deliveries/${encodeURIComponent(id)}`,
    {
      staleTime: 0,
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && isDueSoon(data.delivery) ? DUE_MS : LATER_MS,
    },
  )
}

/** After every change, and for the refresh button. */
export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
