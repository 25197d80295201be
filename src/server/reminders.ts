/** Looks for quotes that expire soon, now and every ten minutes. */
import { runAction } from '../actions/action.ts'
import type { ActionContext } from '../actions/action.ts'
import { remindOfExpiry } from '../actions/remind-of-expiry.ts'
import { listCompanyIds } from '../records/company/queries.ts'
import { listDueReminders } from '../records/mail/reminders.ts'

const EVERY_MS = 600_000

export interface ReminderOptions {
  contextOf: (companyId: string) => ActionContext
  pool: ActionContext['pool']
  onError: (error: unknown) => void
}

export async function sendReminders(
  { contextOf, pool, onError }: ReminderOptions,
  isStopping = () => false,
): Promise<void> {
  for (const companyId of await listCompanyIds(pool)) {
    // An error of one company must not keep the others from being reminded.
    try {
      for (const quoteId of await listDueReminders(pool, companyId)) {
        if (isStopping()) return
        await runAction(contextOf(companyId), remindOfExpiry, { quoteId })
      }
    } catch (error) {
      if (isStopping()) return
      onError(error)
    }
  }
}

/** Returns a function that stops it. */
export function startReminders(options: ReminderOptions): () => Promise<void> {
  let isStopping = false
  const run = () =>
    sendReminders(options, () => isStopping).catch((error: unknown) => {
      if (!isStopping) options.onError(error)
    })
  let running = run()
  const timer = setInterval(() => void (running = running.then(run)), EVERY_MS)
  timer.unref()
  return async () => {
    isStopping = true
    clearInterval(timer)
    await running
  }
}
