/** Hands a message over to the SMTP server. */
import { createTransport } from 'nodemailer'
import { oneLine } from '../../core/mail/header-text.ts'
import { describeFailure } from '../../core/mail/next-attempt.ts'
import type { FailureShown, SmtpFailure } from '../../core/mail/next-attempt.ts'
import type { MailFrom, SmtpServer } from '../../core/mail/settings.ts'
import type { ClaimedMail } from '../../records/mail/outbox.ts'

/** Connections of this process, and messages that it sends at once. */
export const CONNECTIONS_MAX = 5

const SECOND = 1_000

interface Failure extends FailureShown {
  /** For the log. */
  cause: Pick<SmtpFailure, 'code' | 'message'>
}

export interface MailSender {
  /** Null: the server has it. */
  send: (mail: ClaimedMail, content: { text: string; html: string }) => Promise<Failure | null>
  close: () => void
}

export function createMailSender({ host, port, tls, login }: SmtpServer, from: MailFrom): MailSender {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    dnsTimeout: 10 * SECOND,
    connectionTimeout: 20 * SECOND,
    greetingTimeout: 20 * SECOND,
    socketTimeout: 60 * SECOND,
    // A message consists of our texts only.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    send: async ({ id, companyName, to, replyTo, subject, kind }, { text, html }) => {
      try {
        await transport.sendMail({
          from: { name: oneLine(from.name ?? companyName, 100), address: from.address },
          // Objects, so that no address is read as a list of addresses.
          to: { name: '', address: to },
          ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
          subject: oneLine(subject),
          text,
          html,
          // The same at every attempt, so that mail servers can recognize a message that is sent twice.
          messageId: `<${id}@${domain}>`,
          // A person sends a quote. Marks the others as automatic, so that out-of-office replies ignore them.
          ...(kind !== 'quote_sent' && { headers: { 'Auto-Submitted': 'auto-generated' } }),
        })
        return null
      } catch (error) {
        const { code, message } = error as SmtpFailure
        const cause = { code, message: withoutPassword(oneLine(message, 500), login) }
        return { ...describeFailure(error as SmtpFailure), cause }
      }
    },
    close: () => transport.close(),
  }
}

/** A server can repeat the password in its answer. */
function withoutPassword(text: string, login: SmtpServer['login']): string {
  return login === null ? text : text.replaceAll(login.password, '***')
}
