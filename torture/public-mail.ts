/** Messages about submitted forms: one for each response, and no header or recipient that a visitor entered. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { atMost, exactly } from './item.ts'
import type { Figure } from './item.ts'

/** Line breaks that would begin a new header. */
export const INJECTION = 'Eve\r\nBcc: victim@example.com\r\nX-Injected: yes\r\n\r\n<script>hacked()</script>'

const isInjected = ({ raw }: { raw: string }) => /^(?:bcc|x-injected):/im.test(raw)

const TIMEOUT_MS = 60_000

export async function startMailbox() {
  const received: { to: string[]; raw: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`, MAIL_FROM: 'mail@service.example' },
    /** Waits for this number of messages. */
    judge: async (expected: number): Promise<Figure[]> => {
      for (let waited = 0; received.length < expected && waited < TIMEOUT_MS; waited += 100) await sleep(100)
      return [
        exactly('mail: messages to the company', received.length, expected),
        atMost('mail: messages with a header of a visitor', received.filter(isInjected).length, 0),
        atMost(
          'mail: messages with another recipient',
          received.filter(({ to }) => to.length !== 1).length,
          0,
        ),
      ]
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
