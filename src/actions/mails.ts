/** Messages that users ask for: another attempt, and a test. */
import { z } from 'zod'
import { ADMINS, USERS } from '../core/callers.ts'
import { renderMail } from '../core/mail/content.ts'
import { testMessage } from '../core/mail/messages.ts'
import type { MailKind } from '../core/mail/kinds.ts'
import { ApiError } from '../core/requests/errors.ts'
import { brandOf } from '../records/mail/brand.ts'
import { findMail, sendMailNow } from '../records/mail/list.ts'
import { queueMail } from '../records/mail/queue.ts'
import type { Outbox } from '../records/mail/queue.ts'
import { findProfile } from '../records/company/profile.ts'
import type { CompanyProfile } from '../records/company/profile.ts'
import type { Db } from '../db/statement.ts'
import { defineAction } from './action.ts'
import { Target } from './targets.ts'

/** Only administrators see messages of these kinds. */
const FOR_ADMINISTRATORS: ReadonlySet<MailKind> = new Set(['invitation', 'password_reset', 'test'])

export const retryMail = defineAction({
  name: 'retryMail',
  allowed: USERS,
  input: Target,
  lock: 'first',
  run: async ({ db, companyId, caller, outbox, announce }, { id }) => {
    const mail = await findMail(db, companyId, id)
    if (mail === null || (caller === 'MEMBER' && FOR_ADMINISTRATORS.has(mail.kind)))
      throw new ApiError('not_found', { message: 'Message not found.' })
    requireMail(outbox)
    const problem = retryProblem(mail)
    if (problem !== null) throw new ApiError('conflict', { message: problem })
    await sendMailNow(db, companyId, id)
    announce()
  },
})

function retryProblem(mail: NonNullable<Awaited<ReturnType<typeof findMail>>>): string | null {
  if (mail.status === 'sent') return 'The message was sent.'
  if (mail.status === 'canceled' || !mail.hasContent) return 'The link in the message is no longer valid.'
  return mail.status === 'pending' && mail.isBeingSent ? 'The message is being sent.' : null
}

/** Sends to the user who asks for it. */
export const sendTestMail = defineAction({
  name: 'sendTestMail',
  allowed: ADMINS,
  input: z.strictObject({ email: z.string() }),
  lock: 'last',
  run: async ({ db, companyId, outbox, announce }, { email }) => {
    requireMail(outbox)
    const profile = await companyOf(db, companyId)
    const rendered = renderMail(brandOf(profile), testMessage({ company: profile.name }))
    await queueMail(db, companyId, { kind: 'test', to: email, replyTo: null, record: null, ...rendered })
    announce()
  },
})

export function requireMail(outbox: Outbox | undefined): asserts outbox is Outbox {
  if (outbox === undefined)
    throw new ApiError('conflict', { message: 'Email is not set up on this server, so nothing can be sent.' })
}

export async function companyOf(db: Db, companyId: string): Promise<CompanyProfile> {
  const profile = await findProfile(db, companyId)
  if (profile === null) throw new Error('the company is missing')
  return profile
}
