/** Mail of `quoting serve`: settings, two processes, and a process that is killed while sending. */
import { describe, expect, it, vi } from 'vitest'
import { mailTo, mailsOf } from '../../test/support/mails.ts'
import { freePort } from '../../test/support/command.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { startCommand } from '../../test/support/process.ts'
import { startMailServer } from '../../test/support/smtp.ts'
import { queueMail } from '../../src/records/mail/queue.ts'

const { pool, connection } = await createDatabase()
const { addCompany, readMails, untilMail, passTime } = mailsOf(pool)
const SETTINGS = {
  DATABASE_URL: connectionUrl(connection),
  APP_SECRET: 'a secret of thirty-two characters',
  MAIL_FROM: 'mail@service.example',
}

async function startServe(settings: Record<string, string>) {
  const port = await freePort()
  const serving = startCommand(['serve'], { ...SETTINGS, PORT: String(port), ...settings })
  await serving.waitFor(/API at/)
  return { ...serving, port }
}

describe('quoting serve', () => {
  it('ML1: does not start with an invalid SMTP_URL or without MAIL_FROM, and does not print the password', async () => {
    for (const [settings, message] of [
      [{ SMTP_URL: 'http://u:hunter2@mail' }, 'SMTP_URL must be a URL such as'],
      [{ SMTP_URL: 'smtp://u:hunter2@mail', MAIL_FROM: '' }, 'MAIL_FROM must be set together with SMTP_URL'],
    ] as const) {
      const serving = startCommand(['serve'], { ...SETTINGS, PORT: String(await freePort()), ...settings })
      expect(await serving.ended).not.toBe(0)
      expect(serving.stderr()).toContain(message)
      expect(serving.stderr()).not.toContain('hunter2')
    }
  })

  it('ML5: two processes send each message once, and stop on SIGTERM', async () => {
    const company = await addCompany()
    const server = await startMailServer()
    const SMTP_URL = `smtp://127.0.0.1:${server.port}?tls=none`
    const processes = [await startServe({ SMTP_URL }), await startServe({ SMTP_URL })]
    for (let i = 0; i < 20; i++) await queueMail(pool, company, mailTo(`many${i}@example.com`))
    await vi.waitFor(async () => {
      expect((await readMails(company)).filter(({ status }) => status !== 'sent')).toEqual([])
    }, 30_000)
    expect(server.received).toHaveLength(20)
    const metrics = await Promise.all(
      processes.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    )
    const sent = metrics.map((text) => Number(/mail_attempts\{result="sent"\} (\d+)/.exec(text)?.[1]))
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(20)
    for (const { kill, ended } of processes) {
      kill('SIGTERM')
      expect(await ended).toBe(0)
    }
  })

  it('ML5: another process sends the message of a killed process', async () => {
    const company = await addCompany()
    let isHanging = true
    let arrive = () => undefined as void
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const server = await startMailServer({
      onData: () => {
        arrive()
        return isHanging ? new Promise(() => undefined) : Promise.resolve()
      },
    })
    const SMTP_URL = `smtp://127.0.0.1:${server.port}?tls=none`
    const first = await startServe({ SMTP_URL })
    const id = await queueMail(pool, company, mailTo('killed@example.com'))
    await arrived
    first.kill('SIGKILL')
    await first.ended
    isHanging = false
    const second = await startServe({ SMTP_URL })
    // Simulates the end of the claim of the killed process.
    await passTime(company)
    await untilMail(company, id, { status: 'sent', attempts: 2 })
    expect(server.received.map(({ parsed }) => parsed.messageId)).toEqual([`<${id}@service.example>`])
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })
})
