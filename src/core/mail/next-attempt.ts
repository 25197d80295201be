/** When a message is attempted again, and what people read about a failure. */
import { oneLine } from './header-text.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The wait after each failed attempt: two days in total. */
const WAITS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR]

/** Spreads the attempts of many messages that failed together. */
const JITTER_MAX = 0.1
const REASON_MAX = 500

/** The milliseconds until the next attempt, `random` from 0 to 1; null if the message has failed for good. */
export function nextMailAttempt(attempts: number, random: number): number | null {
  const wait = WAITS_MS[attempts - 1]
  return wait === undefined ? null : Math.ceil(wait * (1 + JITTER_MAX * random))
}

/** As the SMTP client reports it. */
export interface SmtpFailure {
  code?: string | undefined
  /** The number of the server's answer. */
  responseCode?: number | undefined
  /** The server's answer. */
  response?: string | undefined
  message: string
}

export interface FailureShown {
  /** For the users of the company. The server's answer is shown only if it is about the message: others name the operator's network. */
  reason: string
  /** Another attempt would fail in the same way. */
  isPermanent: boolean
}

const REASONS: Record<string, string> = {
  EAUTH: 'The mail server refused the login of this service. The operator has to correct SMTP_URL.',
  ENOAUTH: 'The mail server refused the login of this service. The operator has to correct SMTP_URL.',
  ETLS: 'No secure connection to the mail server is possible. The operator has to correct SMTP_URL.',
  ETIMEDOUT: 'The mail server does not respond.',
}

export function describeFailure({ code = '', responseCode, response, message }: SmtpFailure): FailureShown {
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (isAboutMail) {
    const reason = oneLine(response ?? message, REASON_MAX)
    return { reason, isPermanent: responseCode === undefined || responseCode >= 500 }
  }
  const isTls = /certificate|self-signed|TLS|SSL/i.test(message)
  const known = REASONS[isTls && code !== 'EAUTH' ? 'ETLS' : code]
  return { reason: known ?? 'The mail server cannot be reached.', isPermanent: false }
}
