/** The webhook worker of this process, which starts when the database is migrated. */
import type { DbPool } from '../db/statement.ts'
import type { Logger } from 'pino'
import type { ChangeListener } from '../changes/listener.ts'
import { startWebhookWorker } from '../changes/webhooks/worker.ts'
import type { WebhookWorker, WorkerCounts } from '../changes/webhooks/worker.ts'
import { createWebhookSecrets } from '../core/security/webhook-secret.ts'
import { resealSecrets } from '../records/webhook-endpoint/secrets.ts'

export interface WebhookService {
  counts: () => WorkerCounts
  start: () => void
  stop: () => Promise<void>
}

const NONE: WorkerCounts = { running: 0, endpoints: 0, delivered: 0, failed: 0 }

export function createWebhookService(options: {
  pool: DbPool
  /** The current one first. */
  appSecrets: readonly [string, ...string[]]
  allowPrivate: boolean
  changes: ChangeListener
  log: Logger
}): WebhookService {
  const { pool, appSecrets, allowPrivate, changes, log } = options
  const secrets = createWebhookSecrets(...appSecrets)
  let worker: WebhookWorker | undefined
  return {
    counts: () => worker?.counts() ?? NONE,
    start: () => {
      worker = startWebhookWorker({ pool, secrets, allowPrivate, changes, log })
      if (appSecrets.length > 1)
        resealSecrets(pool, secrets).catch((error: unknown) =>
          log.warn({ err: error }, 'webhook secrets were not encrypted again; keep APP_SECRET_PREVIOUS'),
        )
    },
    stop: async () => worker?.stop(),
  }
}
