/** "Forgot password": sends a link to each user with the address. The response does not tell whether there is one. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { SYSTEM } from '../core/change-log/change-types.ts'
import { runAction } from '../actions/action.ts'
import { requireMail } from '../actions/mails.ts'
import { createResetLink } from '../actions/password-resets.ts'
import { EmailAddress } from '../actions/user-input.ts'
import { findUsersByEmail } from '../records/user/queries.ts'
import { SIGN_IN_MAX_BYTES } from '../http/limits.ts'
import { readInput } from './input.ts'
import type { ConsoleParts } from './register.ts'
import { refuseOtherSites } from './session.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

const Forgotten = z.strictObject({ email: EmailAddress })

export function registerForgotPassword(
  app: FastifyInstance,
  parts: ConsoleParts,
  signInThrottle: SignInThrottle,
): void {
  const { db, invoiceUrl, quoteUrl, outbox } = parts
  const sendLinks = async (email: string) => {
    for (const { companyId, id } of await findUsersByEmail(db, email)) {
      const presentation = { now: new Date().toISOString(), invoiceUrl, quoteUrl }
      // No user is signed in: the service itself sends the link.
      const context = { pool: db, companyId, actor: SYSTEM, caller: 'system', presentation, outbox } as const
      await runAction(context, createResetLink, { id, byMail: true })
    }
  }
  app.post(
    '/console/links/forgot',
    {
      bodyLimit: SIGN_IN_MAX_BYTES,
      onRequest: async (request) => refuseOtherSites(request, parts.publicUrl()),
    },
    async (request, reply) => {
      const { email } = readInput(Forgotten, request)
      requireMail(outbox)
      await signInThrottle.countReset(email, parts.addressOf(request))
      // Not awaited: the time of the response would tell whether the address belongs to a user.
      sendLinks(email).catch((error: unknown) =>
        request.log.warn({ err: error }, 'a link to set a new password was not created'),
      )
      return reply.code(204).send()
    },
  )
}
