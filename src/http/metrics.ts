/** Prometheus metrics: requests by route and status, connection pools, and the process. */
import type { Pool } from 'pg'
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Replica } from '../db/replica.ts'
import type { AdmissionCounts } from './admission.ts'

export interface Metrics {
  observeRequest: (method: string, route: string, status: number, seconds: number) => void
  render: () => Promise<{ contentType: string; text: string }>
}

interface WebhookCounts {
  running: number
  endpoints: number
  delivered: number
  failed: number
}

interface MailCounts {
  running: number
  sent: number
  failed: number
}

interface LogCounts {
  counts: () => { kept: number; notKept: number; lost: number }
}

/** Of the process, so it has them once, however many servers run in it: each would measure the event loop and GC again. */
let processRegistry: Registry | undefined

function createRegistry(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry })
  }
  return Registry.merge([processRegistry])
}

export function createMetrics(
  primary: Record<string, Pool>,
  replicas: readonly Replica[],
  countRequests: () => AdmissionCounts,
  requestLog: LogCounts | undefined,
  webhookCounts: (() => WebhookCounts) | undefined,
  mailCounts: (() => MailCounts) | undefined,
): Metrics {
  const pools = { ...primary, ...Object.fromEntries(replicas.map(({ name, pool }) => [name, pool])) }
  const registry = createRegistry()
  registry.registerMetric(
    new Gauge({
      name: 'db_pool_connections',
      help: 'Connections to the database by pool and state; waiting counts the requests that wait for one',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          this.set({ pool, state: 'busy' }, totalCount - idleCount)
          this.set({ pool, state: 'idle' }, idleCount)
          this.set({ pool, state: 'waiting' }, waitingCount)
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'db_replica_in_use',
      help: 'Whether reads go to the replica: 1, or 0 while it does not answer or lags',
      labelNames: ['replica'],
      registers: [],
      collect() {
        for (const { name, isInUse } of replicas) this.set({ replica: name }, isInUse() ? 1 : 0)
      },
    }),
  )
  addGauge(registry, {
    name: 'http_requests_open',
    help: 'Requests to the API: in work, and waiting in the queue',
    label: 'state',
    counts: () => {
      const { active, waiting } = countRequests()
      return { 'in work': active, waiting }
    },
  })
  if (requestLog !== undefined) addLogGauge(registry, requestLog)
  if (webhookCounts !== undefined) addWebhookGauges(registry, webhookCounts)
  if (mailCounts !== undefined)
    addGauge(registry, {
      name: 'mail_attempts',
      help: 'Messages: attempts to send one since the start, by result, and those that are being sent',
      label: 'result',
      counts: () => {
        const { running, sent, failed } = mailCounts()
        return { running, sent, failed }
      },
    })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by method, route pattern and status, with their duration',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  return {
    observeRequest: (method, route, status, seconds) => durations.observe({ method, route, status }, seconds),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

interface CountsGauge {
  name: string
  help: string
  label: string
  /** By value of the label. */
  counts: () => Record<string, number>
}

function addGauge(registry: Registry, { name, help, label, counts }: CountsGauge): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [],
    collect() {
      for (const [value, count] of Object.entries(counts())) this.set({ [label]: value }, count)
    },
  })
  registry.registerMetric(gauge)
}

function addLogGauge(registry: Registry, requestLog: LogCounts): void {
  addGauge(registry, {
    name: 'request_log_entries',
    help: 'Requests since the start: kept for the request log; not kept, beyond its allowance; lost, for want of the database',
    label: 'state',
    counts: () => {
      const { kept, notKept, lost } = requestLog.counts()
      return { kept, 'not kept': notKept, lost }
    },
  })
}

function addWebhookGauges(registry: Registry, webhookCounts: () => WebhookCounts): void {
  addGauge(registry, {
    name: 'webhook_attempts',
    help: 'Attempts to deliver a webhook since the start, by result',
    label: 'result',
    counts: () => {
      const { delivered, failed } = webhookCounts()
      return { delivered, failed }
    },
  })
  addGauge(registry, {
    name: 'webhooks_open',
    help: 'Webhook requests that are running, and endpoints that this process sends to',
    label: 'what',
    counts: () => {
      const { running, endpoints } = webhookCounts()
      return { requests: running, endpoints }
    },
  })
}
