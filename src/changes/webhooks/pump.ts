/**
 * Sends the due deliveries of one endpoint while this process holds its lease: claims, sends up to eight at once, writes the
 * results in batches. Claims and results of an endpoint never overlap, so the order within a subject needs no locks.
 */
import { SYSTEM } from '../../core/change-log/change-types.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { WebhookSecrets } from '../../core/security/webhook-secret.ts'
import type { DbPool } from '../../db/statement.ts'
import { inTransaction } from '../../db/transaction.ts'
import { lockCompany } from '../../records/change/record.ts'
import {
  claimDeliveries,
  findHeld,
  releaseLease,
  writeResults,
} from '../../records/webhook-delivery/queue.ts'
import type { Claimed, Lease, Result } from '../../records/webhook-delivery/queue.ts'
import { recordAuditEntry } from '../../records/audit/record.ts'
import { disableEndpoint, findEndpoint } from '../../records/webhook-endpoint/queries.ts'
import { GONE, attemptDelivery, resultOf } from './attempt.ts'
import type { AttemptOutcome, Sender } from './send.ts'
import type { Slots } from './slots.ts'

export interface PumpParts {
  pool: DbPool
  secrets: Pick<WebhookSecrets, 'open'>
  sender: Sender
  slots: Slots
  owner: string
  /** Whether a request that starts now ends while the lease is held. */
  mayStart: () => boolean
  onAttempt: (isDelivered: boolean) => void
  log: Pick<Logger, 'debug' | 'warn'>
}

const REQUESTS_MAX = 8
/** The limit of an endpoint starts here, grows with each delivery, and is halved if there is no response: one that hangs takes few slots. */
const REQUESTS_MIN = 2
const RETRY_WRITE_MS = 1_000

const DISABLED_GONE = 'The receiver answered 410 Gone.'
const DISABLED_FAILING = 'Every attempt failed for five days.'

export class Pump {
  readonly lease: Lease
  readonly ended: Promise<void>
  readonly #parts: PumpParts
  #requestsMax = REQUESTS_MIN
  #isFailing: boolean
  #isStopping = false
  #isLost = false
  #isGone = false
  #mayHaveMore = true
  #isWoken = false
  #running = 0
  #queue: Claimed[] = []
  #results: Result[] = []
  /** Claimed and not yet written. */
  readonly #inHand = new Set<string>()
  #resume: (() => void) | undefined

  constructor(parts: PumpParts, lease: Lease) {
    this.#parts = parts
    this.lease = lease
    this.#isFailing = lease.isFailing
    this.ended = this.#run()
      .catch((error: unknown) => parts.log.warn({ err: error }, 'webhooks of an endpoint are delayed'))
      .then(() => releaseLease(parts.pool, lease, parts.owner))
      .catch(() => undefined)
  }

  /** Deliveries may be due. */
  wake(): void {
    this.#mayHaveMore = true
    this.#isWoken = true
    this.#resume?.()
  }

  /** Starts no more requests. */
  stop(): void {
    this.#isStopping = true
    this.#resume?.()
  }

  async #run(): Promise<void> {
    for (;;) {
      if (this.#results.length > 0) await this.#write()
      if (!this.#isOver() && this.#mayHaveMore && this.#queue.length < this.#requestsMax) await this.#claim()
      else if (!this.#isOver() && this.#isWoken) await this.#refresh()
      if (this.#isOver()) this.#queue = []
      this.#startRequests()
      if (this.#results.length > 0) continue
      if (this.#running > 0 || this.#queue.length > 0)
        await new Promise<void>((resolve) => (this.#resume = resolve))
      else if (this.#isOver() || !this.#mayHaveMore) return
    }
  }

  #isOver(): boolean {
    return this.#isLost || this.#isStopping
  }

  async #claim(): Promise<void> {
    const { pool, owner } = this.#parts
    this.#mayHaveMore = false
    this.#isWoken = false
    const found = await claimDeliveries(pool, this.lease, owner, [...this.#inHand])
    if (found === null) {
      this.#isLost = true
      return
    }
    for (const delivery of found.claimed) this.#inHand.add(delivery.number)
    this.#queue.push(...found.claimed)
    this.#mayHaveMore ||= found.mayHaveMore
  }

  /** The endpoint may have been changed or disabled since its deliveries were claimed. */
  async #refresh(): Promise<void> {
    const { pool, owner } = this.#parts
    this.#isWoken = false
    const held = await findHeld(pool, this.lease, owner)
    if (held === null) this.#isLost = true
    else this.#queue = this.#queue.map((delivery) => ({ ...delivery, ...held }))
  }

  #startRequests(): void {
    const { slots, mayStart } = this.#parts
    while (this.#running < this.#requestsMax && mayStart()) {
      const [next] = this.#queue
      const free = next === undefined ? null : slots.take(this.#isFailing, () => this.#resume?.())
      if (next === undefined || free === null) return
      this.#queue.shift()
      void this.#deliver(next, free)
    }
  }

  async #deliver(delivery: Claimed, free: () => void): Promise<void> {
    this.#running++
    try {
      const outcome = await attemptDelivery(this.#parts, this.lease, delivery)
      if (outcome !== null) this.#note(delivery, outcome)
    } finally {
      this.#running--
      free()
      this.#resume?.()
    }
  }

  #note(delivery: Claimed, outcome: AttemptOutcome): void {
    const { status, error, isDelivered } = outcome
    const { companyId: company, endpointId: endpoint } = this.lease
    this.#results.push(resultOf(delivery, outcome))
    this.#isGone ||= status === GONE
    this.#isFailing = status === null
    if (isDelivered) this.#requestsMax = Math.min(this.#requestsMax + 1, REQUESTS_MAX)
    if (this.#isFailing) this.#requestsMax = Math.max(Math.floor(this.#requestsMax / 2), REQUESTS_MIN)
    this.#parts.onAttempt(isDelivered)
    // Neither the URL nor the response, which can contain secrets.
    this.#parts.log.debug({ company, endpoint, number: delivery.number, status, error }, 'webhook')
  }

  async #write(): Promise<void> {
    const batch = this.#results.splice(0)
    if (this.#isGone) await this.#disable(DISABLED_GONE)
    const written = await this.#writePatiently(batch)
    if (written === null) this.#isLost = true
    if (written?.isDead === true) await this.#disable(DISABLED_FAILING)
    for (const { number } of batch) this.#inHand.delete(number)
    this.#mayHaveMore = true
  }

  /** Results are kept while the database is down and the lease lasts, so that nothing is sent twice. */
  async #writePatiently(batch: readonly Result[]): Promise<{ isDead: boolean } | null> {
    const { pool, owner, mayStart } = this.#parts
    for (;;) {
      try {
        return await writeResults(pool, this.lease, owner, batch)
      } catch (error) {
        if (!mayStart()) throw error
        await sleep(RETRY_WRITE_MS, undefined, { ref: false })
      }
    }
  }

  async #disable(reason: string): Promise<void> {
    const { pool, log } = this.#parts
    const { companyId, endpointId } = this.lease
    const isDisabled = await inTransaction(pool, async (db) => {
      await lockCompany(db, companyId)
      if (!(await disableEndpoint(db, companyId, endpointId, reason))) return false
      const endpoint = await findEndpoint(db, companyId, endpointId)
      await recordAuditEntry(db, companyId, SYSTEM, {
        type: 'webhook_endpoint.disabled',
        subject: { object: 'webhookEndpoint', id: endpointId, name: endpoint?.url ?? null },
        details: { reason },
      })
      return true
    })
    this.#isStopping = true
    if (isDisabled)
      log.warn({ company: companyId, endpoint: endpointId, reason }, 'a webhook endpoint was disabled')
  }
}
