/**
 * Delivers webhooks. Every process runs one worker; the lease of an endpoint decides which of them sends to it (docs/adr/0027).
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { WebhookSecrets } from '../../core/security/webhook-secret.ts'
import type { DbPool } from '../../db/statement.ts'
import { endpointKeyText, renewLeases, takeLeases } from '../../records/webhook-delivery/queue.ts'
import type { Lease } from '../../records/webhook-delivery/queue.ts'
import type { ChangeListener } from '../listener.ts'
import type { AddressOptions } from './addresses.ts'
import { onWork } from '../on-work.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { followChanges } from './follow.ts'
import { Pump } from './pump.ts'
import { createSender } from './send.ts'
import { createSlots } from './slots.ts'

export interface WorkerOptions extends AddressOptions {
  pool: DbPool
  secrets: Pick<WebhookSecrets, 'open'>
  log: Pick<Logger, 'debug' | 'warn'>
  changes: Pick<ChangeListener, 'onChange'>
  /** For tests. */
  timeoutMs?: number
  leaseMs?: number
  stopMaxMs?: number
}

export interface WorkerCounts {
  running: number
  endpoints: number
  delivered: number
  failed: number
}

export interface WebhookWorker {
  counts: () => WorkerCounts
  /** Waits briefly for running requests. Those that take longer are sent again by another process. */
  stop: () => Promise<void>
}

const TIMEOUT_MS = 15_000
/** Longer than a request with its name resolution, so that all of a process end before its lease does. */
const LEASE_MS = 30_000
const STOP_MAX_MS = 5_000
const MARGIN_MS = 500

export function startWebhookWorker(options: WorkerOptions): WebhookWorker {
  const { pool, log, timeoutMs = TIMEOUT_MS, leaseMs = LEASE_MS, stopMaxMs = STOP_MAX_MS } = options
  // Host and process are for operators. The rest distinguishes processes with equal numbers.
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`
  const sender = createSender({ ...options, timeoutMs })
  const slots = createSlots()
  const held = new Map<string, Held>()
  const totals = { delivered: 0, failed: 0 }
  let isStopping = false
  const request = () => ({
    owner,
    seconds: leaseMs / 1_000,
    held: [...held.values()].map(({ pump }) => pump.lease),
  })

  const onAttempt = (isDelivered: boolean) => void totals[isDelivered ? 'delivered' : 'failed']++
  const begin = (lease: Lease, until: number) => {
    const key = endpointKeyText(lease)
    const limit = { until }
    const mayStart = () => performance.now() + timeoutMs + MARGIN_MS < limit.until
    const pump = new Pump({ ...options, sender, slots, owner, mayStart, onAttempt }, lease)
    held.set(key, { pump, limit })
    void pump.ended.then(() => held.delete(key))
  }
  const find = async () => {
    for (const { pump } of held.values()) pump.wake()
    const until = performance.now() + leaseMs
    for (const lease of await takeLeases(pool, request())) begin(lease, until)
  }
  const renew = async () => {
    if (held.size === 0) return
    const until = performance.now() + leaseMs
    const before = [...held]
    const renewed = new Set((await renewLeases(pool, request())).map(endpointKeyText))
    for (const [key, { pump, limit }] of before) {
      if (!renewed.has(key)) pump.stop()
      else {
        limit.until = until
        pump.wake()
      }
    }
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'webhooks are delayed')
  const finding = oneAtATime(find, onError)
  const renewing = oneAtATime(renew, onError)
  const isEnding = () => isStopping
  const follow = async () => followChanges({ pool, log, onProgress: finding.run, isStopping: isEnding })
  const following = oneAtATime(follow, onError)
  const stopWork = onWork(options.changes, following.run)
  const timer = setInterval(renewing.run, leaseMs / 4)
  timer.unref()
  following.run()
  return {
    counts: () => ({ running: slots.countTaken(), endpoints: held.size, ...totals }),
    stop: async () => {
      isStopping = true
      stopWork()
      clearInterval(timer)
      await following.settled()
      await Promise.all([finding.settled(), renewing.settled()])
      const pumps = [...held.values()].map(({ pump }) => pump)
      for (const pump of pumps) pump.stop()
      const ended = Promise.all(pumps.map((pump) => pump.ended))
      const done = new AbortController()
      const late = sleep(stopMaxMs, undefined, { signal: done.signal }).catch(() => undefined)
      await Promise.race([ended, late])
      done.abort()
      sender.close()
      await ended
    },
  }
}

interface Held {
  pump: Pump
  /** When the lease ends, by the clock of this process. */
  limit: { until: number }
}
