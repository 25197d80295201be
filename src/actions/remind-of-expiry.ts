/** Reminds a customer of a quote that expires soon. */
import { readRevision } from '../core/quotes/revision.ts'
import { findDueReminder } from '../records/mail/reminders.ts'
import { findNewestRevision } from '../records/quote-revision/queries.ts'
import { defineAction } from './action.ts'
import { mailQuoteReminder, mailedRevision } from './quote-mails.ts'

/** Checks again under the lock, so that several processes send one reminder. */
export const remindOfExpiry = defineAction({
  name: 'remindOfExpiry',
  lock: 'first',
  run: async (transaction, { quoteId }: { quoteId: string }) => {
    const { db, companyId } = transaction
    const to = await findDueReminder(db, companyId, quoteId)
    const stored = to === null ? null : await findNewestRevision(db, companyId, quoteId)
    const revision = stored === null ? null : readRevision(stored.content)
    if (to === null || revision === null) return
    await mailQuoteReminder(transaction, mailedRevision(transaction, revision), to)
  },
})
