/** Mail: whether it is set up, the latest messages, another attempt, and a test. */
import { ADMINS } from '../core/callers.ts'
import { isPossibleId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { runAction } from '../actions/action.ts'
import { retryMail, sendTestMail } from '../actions/mails.ts'
import { listMails } from '../records/mail/list.ts'
import type { ListedMail } from '../records/mail/list.ts'
import { consoleRoute } from './route.ts'

export interface MailSettingsAnswer {
  /** The sender of all messages; null if mail is not set up. */
  from: string | null
  /** The latest, the last one first. */
  mails: ListedMail[]
}

const showMail = consoleRoute({
  method: 'GET',
  path: '/console/settings/mail',
  allowed: ADMINS,
  answer: async ({ db, companyId, outbox }): Promise<MailSettingsAnswer> => ({
    from: outbox?.from ?? null,
    mails: await listMails(db, companyId),
  }),
})

const sendTest = consoleRoute({
  method: 'POST',
  path: '/console/settings/mail/test',
  allowed: sendTestMail.allowed,
  answer: async ({ action, user: { email } }) => {
    await runAction(action, sendTestMail, { email })
    return null
  },
})

const retry = consoleRoute({
  method: 'POST',
  path: '/console/mails/:id/retry',
  answer: async ({ action, id }) => {
    if (!isPossibleId(id)) throw new ApiError('not_found', { message: 'Message not found.' })
    await runAction(action, retryMail, { id })
    return null
  },
})

export const mailRoutes = [showMail, sendTest, retry]
