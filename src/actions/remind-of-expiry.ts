/** Reminds a customer of a quote that expires soon. */
import { z } from 'zod'
import { SYSTEM_ONLY } from '../core/callers.ts'
import { readRevision } from '../core/quotes/revision.ts'
import { revisionState } from '../core/quotes/revision-state.ts'
import { findDueReminder } from '../records/mail/reminders.ts'
import { findNewestRevision, findRevisionStanding } from '../records/quote-revision/queries.ts'
import { defineAction } from './action.ts'
import { mailQuoteReminder, mailedRevision } from './quote-mails.ts'

/** Checks again under the lock, so that several processes send one reminder. */
export const remindOfExpiry = defineAction({
  name: 'remindOfExpiry',
  allowed: SYSTEM_ONLY,
  input: z.strictObject({ quoteId: z.string() }),
  lock: 'first',
  run: async (transaction, { quoteId }) => {
    const { db, companyId, presentation } = transaction
    const to = await findDueReminder(db, companyId, quoteId)
    const stored = to === null ? null : await findNewestRevision(db, companyId, quoteId)
    const revision = stored === null ? null : readRevision(stored.content)
    if (to === null || revision === null) return
    const standing = await findRevisionStanding(db, companyId, quoteId, revision.revision)
    // The quote can have got a later expiration since. The customer can no longer accept then.
    if (standing === null || revisionState(revision, standing, presentation.now) !== 'open') return
    await mailQuoteReminder(transaction, mailedRevision(transaction, revision), to)
  },
})
