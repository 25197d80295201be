/** Sends the messages in the outbox. Every process with SMTP_URL runs one worker (docs/mail.md). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { MailFrom, SmtpServer } from '../../core/mail/settings.ts'
import { nextMailAttempt } from '../../core/mail/next-attempt.ts'
import type { MailSeal } from '../../core/security/mail-seal.ts'
import type { DbPool } from '../../db/statement.ts'
import { claimMails, writeMailResult } from '../../records/mail/outbox.ts'
import type { ClaimedMail, MailResult } from '../../records/mail/outbox.ts'
import type { ChangeListener } from '../listener.ts'
import { onWork } from '../on-work.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { CONNECTIONS_MAX, createMailSender } from './send.ts'

export interface MailWorkerOptions {
  pool: DbPool
  smtp: SmtpServer
  from: MailFrom
  seal: Pick<MailSeal, 'open'>
  changes: Pick<ChangeListener, 'onChange'>
  log: Pick<Logger, 'debug' | 'warn'>
  /** For tests. */
  leaseMs?: number
  stopMaxMs?: number
}

export interface MailCounts {
  running: number
  sent: number
  failed: number
}

export interface MailWorker {
  counts: () => MailCounts
  /** Waits briefly for messages that are being sent. Another process sends those that take longer, perhaps twice. */
  stop: () => Promise<void>
}

/** Longer than the timeouts of sending together. */
const LEASE_MS = 300_000
const STOP_MAX_MS = 5_000
const RETRY_WRITE_MS = 1_000

export function startMailWorker(options: MailWorkerOptions): MailWorker {
  const { pool, smtp, from, seal, log, leaseMs = LEASE_MS, stopMaxMs = STOP_MAX_MS } = options
  const sender = createMailSender(smtp, from)
  const running = new Set<Promise<void>>()
  const totals = { sent: 0, failed: 0 }
  let isStopping = false

  const attempt = async (mail: ClaimedMail): Promise<MailResult> => {
    const content = openContent(seal, mail)
    if (typeof content === 'string') return { status: 'canceled', error: content }
    const failure = await sender.send(mail, content)
    totals[failure === null ? 'sent' : 'failed']++
    if (failure === null) return { status: 'sent' }
    const { reason: error, cause, isPermanent } = failure
    log.warn({ company: mail.companyId, mail: mail.id, ...cause }, 'a message was not sent')
    const waitMs = isPermanent ? null : nextMailAttempt(mail.attempts, Math.random())
    if (waitMs === null) return { status: 'failed', error }
    return { status: 'pending', error, nextInSeconds: waitMs / 1_000 }
  }
  const deliver = async (mail: ClaimedMail, until: number) => {
    const result = await attempt(mail)
    // The result is kept while the database is down and no other process can claim the message, so that it is not sent twice.
    for (;;) {
      try {
        return await writeMailResult(pool, mail, result)
      } catch (error) {
        if (performance.now() > until) throw error
        await sleep(RETRY_WRITE_MS, undefined, { ref: false })
      }
    }
  }
  const onError = (error: unknown) => log.warn({ err: error }, 'mail is delayed')
  const find = async () => {
    const free = CONNECTIONS_MAX - running.size
    if (free === 0 || isStopping) return
    const until = performance.now() + leaseMs
    for (const mail of await claimMails(pool, free, leaseMs / 1_000)) {
      const sending = deliver(mail, until)
        .catch(onError)
        .finally(() => {
          running.delete(sending)
          finding.run()
        })
      running.add(sending)
    }
  }
  const finding = oneAtATime(find, onError)
  const stopWork = onWork(options.changes, finding.run)
  finding.run()
  return {
    counts: () => ({ running: running.size, ...totals }),
    stop: async () => {
      isStopping = true
      stopWork()
      await finding.settled()
      const ended = Promise.all(running)
      const done = new AbortController()
      const late = sleep(stopMaxMs, undefined, { signal: done.signal }).catch(() => undefined)
      await Promise.race([ended, late])
      done.abort()
      sender.close()
    },
  }
}

/** The texts, or why there are none. */
function openContent(
  seal: Pick<MailSeal, 'open'>,
  mail: ClaimedMail,
): { text: string; html: string } | string {
  const { companyId, id: mailId, text, html, sealed, isExpired } = mail
  if (text !== null && html !== null) return { text, html }
  if (sealed === null || isExpired) return 'The link has expired.'
  const content = seal.open({ companyId, mailId }, sealed)
  if (content === null)
    return 'The link cannot be decrypted, because APP_SECRET was replaced. Create a new link.'
  return JSON.parse(content) as { text: string; html: string }
}
