/** A real SMTP server on a loopback address that stores received messages, and mail workers that send to it. */
import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import type { ParsedMail } from 'mailparser'
import type { Pool } from 'pg'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions } from 'smtp-server'
import { vi } from 'vitest'
import { startMailWorker } from '../../src/changes/mail/worker.ts'
import type { MailWorker, MailWorkerOptions } from '../../src/changes/mail/worker.ts'
import type { SmtpServer } from '../../src/core/mail/settings.ts'
import { createMailSeal } from '../../src/core/security/mail-seal.ts'
import { atEnd } from './at-end.ts'

interface ReceivedMail {
  from: string
  to: string[]
  parsed: ParsedMail
  raw: string
}

export interface MailServer {
  port: number
  smtp: SmtpServer
  received: ReceivedMail[]
  /** Waits for a matching message. */
  find: (isMatch: (mail: ReceivedMail) => boolean) => Promise<ReceivedMail>
  to: (address: string) => Promise<ReceivedMail>
  close: () => Promise<void>
}

interface MailServerOptions {
  /** Returns the response to a rejected message, or null to accept it. */
  reject?: (mail: { to: string[]; raw: string }) => { code: number; text: string } | null
  /** Called after the content has arrived. The response waits for it. */
  onData?: () => Promise<void>
  server?: SMTPServerOptions
}

export async function startMailServer({
  reject,
  onData,
  server,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const receive = async (raw: Buffer, from: string, to: string[]): Promise<Error | null> => {
    await onData?.()
    const rejection = reject?.({ to, raw: raw.toString() }) ?? null
    if (rejection !== null) return Object.assign(new Error(rejection.text), { responseCode: rejection.code })
    received.push({ from, to, parsed: await simpleParser(raw), raw: raw.toString() })
    return null
  }
  const smtpServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        const from = mailFrom === false ? '' : mailFrom.address
        // oxlint-disable-next-line promise/no-callback-in-promise -- the server takes a callback
        void receive(Buffer.concat(chunks), from, to).then((error) => callback(error))
      })
    },
    ...server,
  })
  // Clients can disconnect, or not trust the certificate.
  smtpServer.on('error', () => undefined)
  await new Promise<void>((resolve) => smtpServer.listen(0, '127.0.0.1', resolve))
  const { port } = smtpServer.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => smtpServer.close(() => resolve()))
  atEnd(close)
  const find: MailServer['find'] = (isMatch) =>
    vi.waitFor(() => {
      const mail = received.find(isMatch)
      if (mail === undefined) throw new Error(`no matching message among ${received.length}`)
      return mail
    }, 20_000)
  return {
    port,
    smtp: { host: '127.0.0.1', port, tls: 'none', login: null },
    received,
    find,
    to: (address) => find(({ to }) => to.includes(address)),
    close,
  }
}

export const MAIL_FROM = { name: null, address: 'mail@service.example' }

const OFTEN: MailWorkerOptions['changes'] = {
  onChange: (listener) => {
    const timer = setInterval(listener, 20)
    return () => clearInterval(timer)
  },
}

/** A worker that polls often, and can open messages that a test server has sealed. */
export function startTestMailWorker(
  pool: Pool,
  smtp: SmtpServer,
  options: Partial<MailWorkerOptions> = {},
): MailWorker {
  const worker = startMailWorker({
    pool,
    smtp,
    from: MAIL_FROM,
    seal: createMailSeal(['a secret for tests']),
    changes: OFTEN,
    log: { debug: () => undefined, warn: () => undefined },
    ...options,
  })
  atEnd(() => worker.stop())
  return worker
}
