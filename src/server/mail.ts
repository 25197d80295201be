/** The mail worker of this process, which starts when the database is migrated. Without SMTP_URL, no mail is sent. */
import type { Logger } from 'pino'
import type { ActionContext } from '../actions/action.ts'
import { SYSTEM } from '../core/change-log/change-types.ts'
import type { ChangeListener } from '../changes/listener.ts'
import { startMailWorker } from '../changes/mail/worker.ts'
import type { MailCounts, MailWorker } from '../changes/mail/worker.ts'
import type { MailFrom } from '../core/mail/settings.ts'
import { createMailSeal } from '../core/security/mail-seal.ts'
import type { DbPool } from '../db/statement.ts'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'
import { createCustomerUrls } from './customer-urls.ts'
import { startReminders } from './reminders.ts'

export interface MailService {
  from: MailFrom
  counts: () => MailCounts
  start: () => void
  stop: () => Promise<void>
}

const NONE: MailCounts = { running: 0, sent: 0, failed: 0 }

/** Undefined if mail is not configured. */
export function createMailService(options: {
  config: Pick<Config, 'smtp' | 'mailFrom' | 'linksNameCompany'>
  pool: DbPool
  appSecrets: readonly [string, ...string[]]
  publicUrl: () => string
  changes: ChangeListener
  log: Logger
}): MailService | undefined {
  const { pool, appSecrets, publicUrl, changes, log } = options
  const { smtp, mailFrom: from } = options.config
  if (smtp === undefined || from === undefined) return undefined
  const seal = createMailSeal(appSecrets)
  const { urls } = createCustomerUrls(appSecrets, publicUrl, options.config.linksNameCompany)
  const reminderContext = (companyId: string): ActionContext => ({
    pool,
    companyId,
    actor: SYSTEM,
    caller: 'system',
    presentation: { now: new Date().toISOString(), ...urls },
    outbox: { seal: seal.seal, publicUrl, from: from.address },
  })
  const onReminderError = (error: unknown) => log.warn({ err: error }, 'reminders are delayed')
  let worker: MailWorker | undefined
  let stopReminders: (() => Promise<void>) | undefined
  return {
    from,
    counts: () => worker?.counts() ?? NONE,
    start: () => {
      worker = startMailWorker({ pool, smtp, from, seal, changes, log })
      stopReminders = startReminders({ pool, contextOf: reminderContext, onError: onReminderError })
    },
    stop: async () => {
      await Promise.all([worker?.stop(), stopReminders?.()])
    },
  }
}

/** The sender has no default: a wrong one would make every message look like spam. */
export function checkMailSettings({ smtp, mailFrom }: Pick<Config, 'smtp' | 'mailFrom'>): void {
  if (smtp !== undefined && mailFrom === undefined)
    throw new ConfigError('MAIL_FROM must be set together with SMTP_URL, such as MAIL_FROM=mail@example.com')
}
