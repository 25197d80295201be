/** Email in a real browser: a forgotten password, an invitation, and the settings page. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { emailOf } from '../test/support/console.ts'
import { MAIL_FROM, startMailServer, startTestMailWorker } from '../test/support/smtp.ts'
import { expectNoBarriers } from './barriers.ts'
import { settle } from './console-pages.ts'
import { TWO_LOOKS, startConsole } from './console.ts'

const smtp = await startMailServer({
  reject: ({ to }) => (to[0]?.startsWith('refused') === true ? { code: 550, text: 'no such mailbox' } : null),
})
const app = await startConsole(undefined, {
  mail: { from: MAIL_FROM, counts: () => ({ running: 0, sent: 0, failed: 0 }) },
})
startTestMailWorker(app.database.pool, smtp.smtp)
// The demo's addresses have names that no mail server accepts.
const ADMIN = 'admin@mail.example'
await app.database.pool.query('UPDATE users SET email = $1 WHERE email = $2', [
  ADMIN,
  emailOf('ADMIN', app.companyId),
])

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
async function check(page: Page): Promise<void> {
  await expectNoBarriers(page)
  const width = page.viewportSize()?.width ?? 0
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
}

describe('a forgotten password', () => {
  it('ML11: is replaced with a link from an email', async () => {
    const context = await app.browser.newContext({
      viewport: { width: 360, height: 800 },
      colorScheme: 'dark',
    })
    const page = await context.newPage()
    await page.goto(app.url)
    await page.getByLabel('Email').fill(ADMIN)
    await button(page, 'Forgot your password?').click()
    await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(ADMIN)
    await check(page)
    await page.keyboard.press('Enter')
    await page.getByText(`If ${ADMIN} belongs to a user`).waitFor()
    await check(page)
    const { parsed } = await smtp.to(ADMIN)
    const [link = ''] = /http\S+\/reset\/\S+/.exec(parsed.text ?? '') ?? []
    await page.goto(link)
    await page.getByLabel('New password').fill('a much better password')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Navigation/ }).waitFor()
  })
})

describe('the page Email', () => {
  it('ML9: shows messages with their status, sends a test and tries again', async () => {
    const page = await app.open('/settings/mail')
    await settle(page)
    await page.getByText('No messages yet').or(page.getByText('Set a new password')).first().waitFor()
    await button(page, 'Send a test message to me').click()
    await page.getByText('is being sent').first().waitFor()
    await smtp.find(({ parsed }) => parsed.subject?.startsWith('Test message') === true)
    await page.locator('.row-list').getByText('Sent', { exact: true }).first().waitFor()
    await page.goto(`${app.url}/settings/people`)
    await button(page, 'Invite a person').click()
    await page.getByLabel('Email').fill('refused@example.com')
    await button(page, 'Send invitation').click()
    await page.getByText('The link is being sent to').waitFor()
    await check(page)
    await button(page, 'Done').click()
    for (const [, look] of TWO_LOOKS) {
      const shown = await app.open('/settings/mail', look)
      await settle(shown)
      await shown.getByText('550 no such mailbox').waitFor()
      await check(shown)
    }
    await page.goto(`${app.url}/settings/people`)
    await page.getByRole('button', { name: 'Retry message to refused@example.com' }).click()
    await page.getByText('is being sent again').waitFor()
  })

  it('ML10: says what to do if email is not set up', async () => {
    const without = await startConsole()
    const page = await without.open('/settings/mail', { viewport: { width: 360, height: 800 } })
    await settle(page)
    await page.getByText('Email is not set up on this server').waitFor()
    await check(page)
  })
})

describe('the dialog "Send quote"', () => {
  it('ML12: previews the message and sends it, and the quote lists it', async () => {
    const { rows } = await app.database.pool.query<{ id: string }>(
      `SELECT q.id FROM quotes q JOIN leads l ON l.company_id = q.company_id AND l.id = q.lead_id
       WHERE q.company_id = $1 AND q.sent_at IS NULL AND q.deleted_at IS NULL AND q.booked_at IS NULL
         AND q.lost_at IS NULL AND EXISTS (SELECT FROM line_items i WHERE i.company_id = q.company_id AND i.quote_id = q.id
           AND i.deleted_at IS NULL) LIMIT 1`,
      [app.companyId],
    )
    const id = rows[0]?.id ?? ''
    for (const [, look] of TWO_LOOKS) {
      const page = await app.open(`/quotes/${encodeURIComponent(id)}`, look)
      await settle(page)
      await page.getByRole('button', { name: /^Send (quote|again)$/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('To', { exact: true }).fill('ada@customer.example')
      await dialog.getByLabel('Subject').fill('Your summer party')
      await dialog.getByLabel('Message to the customer').fill('Dear Ada,\nsee below.')
      await dialog.getByRole('button', { name: 'Preview message' }).click()
      const preview = dialog.getByLabel('Text of the message')
      await preview.getByText('Dear Ada,').waitFor()
      await check(page)
      await dialog.getByLabel('Subject').fill('Your summer party in June')
      await preview.waitFor({ state: 'hidden' })
      if (page.viewportSize()?.width !== 390) continue
      await dialog.getByRole('button', { name: /^Send (quote|again)$/ }).click()
      await dialog.getByText('is being sent to').waitFor()
      await check(page)
      await dialog.getByRole('button', { name: 'Done' }).click()
      const { to, parsed } = await smtp.find(
        ({ parsed: { subject } }) => subject === 'Your summer party in June',
      )
      expect(to).toEqual(['ada@customer.example'])
      expect(parsed.text).toContain('Dear Ada,\nsee below.')
      const messages = page.getByRole('region', { name: 'Messages' })
      await messages.getByText('Sent', { exact: true }).waitFor()
      await check(page)
    }
  })
})

describe('a quote with more messages and revisions than its page lists', () => {
  it('ML12: says that these are the newest', async () => {
    const { companyId, database } = app
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT quote_id AS id FROM quote_revisions WHERE company_id = $1 ORDER BY id LIMIT 1`,
      [companyId],
    )
    const id = rows[0]?.id ?? ''
    await database.pool.query(
      `INSERT INTO quote_revisions (company_id, id, quote_id, revision, content, sha256, sent_at)
       SELECT company_id, 'qrev_many_' || n, quote_id, 1000 + n, content, sha256, sent_at
       FROM generate_series(1, 100) n, (SELECT * FROM quote_revisions WHERE company_id = $1 AND quote_id = $2 LIMIT 1) r`,
      [companyId, id],
    )
    await database.pool.query(
      `INSERT INTO mails (company_id, id, kind, to_address, subject, record_object, record_id, status, next_attempt_at, sent_at)
       SELECT $1, 'mail_many_' || n, 'quote_sent', 'ada@customer.example', 'Your party', 'quote', $2, 'sent', NULL, now()
       FROM generate_series(1, 51) n`,
      [companyId, id],
    )
    const page = await app.open(`/quotes/${encodeURIComponent(id)}`)
    await page.getByText('These are the 100 newest revisions.').waitFor()
    await page.getByText('These are the 50 newest messages.').waitFor()
  })
})
