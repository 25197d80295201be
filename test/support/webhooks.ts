/** A company with webhook endpoints, and workers that deliver to them. */
import type { Pool } from 'pg'
import { expect, vi } from 'vitest'
import { runAction } from '../../src/actions/action.ts'
import { createTask } from '../../src/actions/create-task.ts'
import { createWebhookEndpoint } from '../../src/actions/webhook-endpoints.ts'
import { followChanges } from '../../src/changes/webhooks/follow.ts'
import { startWebhookWorker } from '../../src/changes/webhooks/worker.ts'
import type { WebhookWorker, WorkerOptions } from '../../src/changes/webhooks/worker.ts'
import { createWebhookSecrets, showSecret } from '../../src/core/security/webhook-secret.ts'
import { contextOf } from './actions.ts'
import { atEnd } from './at-end.ts'

export const SECRETS = createWebhookSecrets('a secret for tests')
const OFTEN_MS = 20

const OFTEN: WorkerOptions['changes'] = {
  onChange: (listener) => {
    const timer = setInterval(listener, OFTEN_MS)
    return () => clearInterval(timer)
  },
}

/** A worker that polls often, and can send to private addresses. */
export function startWorker(pool: Pool, options: Partial<WorkerOptions> = {}): WebhookWorker {
  const log = { debug: () => undefined, warn: () => undefined }
  const worker = startWebhookWorker({
    pool,
    secrets: SECRETS,
    log,
    allowPrivate: true,
    changes: OFTEN,
    ...options,
  })
  atEnd(() => worker.stop())
  return worker
}

export async function addEndpoint(
  pool: Pool,
  url: string,
  { companyId = 'co_1', types = ['*'] }: { companyId?: string; types?: string[] } = {},
): Promise<{ id: string; secret: string }> {
  const { endpoint, sealedSecret } = await runAction(contextOf(pool, companyId), createWebhookEndpoint, {
    url,
    types,
    secrets: SECRETS,
  })
  const secret = SECRETS.open({ companyId, endpointId: endpoint.id }, sealedSecret)
  return { id: endpoint.id, secret: showSecret(secret ?? Buffer.alloc(0)) }
}

/** Creates a task of an existing event, and returns its id. */
export async function addTask(pool: Pool, companyId = 'co_1', eventId = 'ev_1'): Promise<string> {
  const task = { eventId, description: 'Call the venue', dueDate: null }
  return (await runAction(contextOf(pool, companyId), createTask, task)).id
}

export interface StoredDelivery {
  number: number
  endpoint: string
  change: number
  status: string
  attempts: {
    at: string
    status: number | null
    error: string | null
    durationMs: number
    response: string
  }[]
  /** Seconds until the next attempt. */
  wait: number | null
}

/** Creates deliveries like a worker. Throws if this fails for a company. */
export async function createDeliveries(pool: Pool): Promise<void> {
  const log = {
    warn: ({ err }: { err: unknown }) => {
      throw err
    },
  }
  await followChanges({ pool, log })
}

/** The deliveries of a company, oldest first. Creates missing ones, so no worker is needed. */
export async function readDeliveries(pool: Pool, companyId = 'co_1'): Promise<StoredDelivery[]> {
  await createDeliveries(pool)
  const { rows } = await pool.query<StoredDelivery>(
    `SELECT number::integer, endpoint_id AS endpoint, change_sequence::integer AS change, status, attempts,
       CASE WHEN next_attempt_at = 'infinity' THEN 'Infinity'::float8
         ELSE extract(epoch FROM next_attempt_at - now())::float8 END AS wait
     FROM webhook_deliveries WHERE company_id = $1 ORDER BY number`,
    [companyId],
  )
  return rows
}

/** Waits until no delivery of the company is pending, or due. */
export async function untilSettled(pool: Pool, companyId = 'co_1'): Promise<void> {
  await vi.waitFor(async () => {
    const due = (await readDeliveries(pool, companyId)).filter(({ wait }) => wait !== null && wait <= 1)
    expect(due).toEqual([])
  }, 20_000)
}

/** Makes every delivery that waits for its next attempt due now. */
export async function passTime(pool: Pool, companyId = 'co_1'): Promise<void> {
  await pool.query(
    `UPDATE webhook_deliveries SET next_attempt_at = now()
     WHERE company_id = $1 AND status = 'pending' AND next_attempt_at <> 'infinity'`,
    [companyId],
  )
}
