/** From an empty database to a company with people: setup, first steps, invitation, password reset, sessions. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { plantSetupLink } from '../test/support/links.ts'
import { createDatabase } from '../test/support/database.ts'
import { startLoggingServer } from '../test/support/request-log.ts'
import { expectNoBarriers } from './barriers.ts'
import { startBrowser } from './browser.ts'
import { settle } from './console-pages.ts'

const database = await createDatabase()
const { pool } = database
let url = 'http://127.0.0.1'
const server = await startLoggingServer(database.connection, { publicUrl: () => url })
url = `http://127.0.0.1:${server.port}`
const browser = await startBrowser()

const PHONE = { viewport: { width: 360, height: 800 }, colorScheme: 'dark' } as const

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: 'pt-PT',
    timezoneId: 'Europe/Lisbon',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  const page = await context.newPage()
  await page.goto(url + path)
  return page
}

async function check(page: Page): Promise<void> {
  await expectNoBarriers(page)
  const width = page.viewportSize()?.width ?? 0
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

describe('an empty installation', () => {
  it('U1: says where the setup link is, without showing it', async () => {
    const token = await plantSetupLink(pool)
    for (const options of [{}, PHONE]) {
      const page = await open('/', options)
      await page.getByRole('heading', { name: 'Set up your company' }).waitFor()
      await page.getByText('quoting serve').waitFor()
      expect(await page.content()).not.toContain(token)
      await check(page)
    }
    const page = await open('/setup/unknown')
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await check(page)
  })

  it('U1: is set up with the keyboard, keeps the input after an error, and leads to the first steps', async () => {
    const token = await plantSetupLink(pool)
    const page = await open(`/setup/${token}`, PHONE)
    await page.getByLabel('Company name').waitFor()
    await check(page)
    expect(await page.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('Portugal')
    expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toMatch(/^EUR/)
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Lisbon')
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('INPUT')
    await page.keyboard.type('Quay Street')
    await page.getByLabel('Your name').fill('Ada Noor')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('The password must have 8 to 200 characters.').waitFor()
    await check(page)
    expect(await page.getByLabel('Company name').inputValue()).toBe('Quay Street')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByText('0 of 6 done').waitFor()
    const targets = await page
      .locator('.first-steps a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(targets).toEqual([
      '/settings/company',
      '/catalog/services',
      '/locations',
      '/quotes/new',
      '/settings/people',
      '/settings/mail',
    ])
    await check(page)
    const used = await open(`/setup/${token}`)
    await used.getByRole('heading', { name: 'This link does not work' }).waitFor()
    const { rows } = await pool.query('SELECT name, country, currency, time_zone, locale FROM companies')
    expect(rows).toEqual([
      { name: 'Quay Street', country: 'PT', currency: 'EUR', time_zone: 'Europe/Lisbon', locale: 'pt-PT' },
    ])
  })
})

describe('people', () => {
  it('U7: are invited by a link to copy, join, and can be revoked before', async () => {
    const admin = await open('/settings/people')
    await signIn(admin, 'ada@example.com', 'a long password')
    await button(admin, 'Invite a person').click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('Email').fill('ada@example.com')
    await admin.keyboard.press('Enter')
    await dialog.getByText('already belongs to a user').waitFor()
    await dialog.getByLabel('Email').fill('nadia@example.com')
    await admin.keyboard.press('Enter')
    await dialog.getByText('Email is not set up on this server').waitFor()
    await check(admin)
    const link = (await dialog.locator('pre').textContent()) ?? ''
    await button(admin, 'Copy link').click()
    expect(await admin.evaluate('navigator.clipboard.readText()')).toBe(link)
    await button(admin, 'Done').click()
    await dialog.waitFor({ state: 'hidden' })
    await admin.getByText('Invited by Ada Noor').waitFor()

    const guest = await open(new URL(link).pathname, PHONE)
    await guest.getByText('You are invited to Quay Street. You will sign in as nadia@example.com.').waitFor()
    await check(guest)
    await guest.getByLabel('Your name').fill('Nadia Roy')
    await guest.getByLabel('Password', { exact: true }).fill('nadias password')
    await button(guest, 'Join').click()
    await guest.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await guest.goto(link)
    await guest.getByRole('heading', { name: 'This link does not work' }).waitFor()

    await admin.reload()
    await admin.getByRole('cell', { name: /^Nadia Roy/ }).waitFor()
    await admin.getByText('None. Invitations are listed here').waitFor()
    await button(admin, 'Invite a person').click()
    await dialog.getByLabel('Email').fill('omar@example.com')
    await admin.keyboard.press('Enter')
    await button(admin, 'Done').click()
    await button(admin, 'Revoke invitation of omar@example.com').click()
    await admin.getByText('None. Invitations are listed here').waitFor()
  })

  it('U6, U8: get another role, a reset link, and are disabled, but not the last administrator', async () => {
    const page = await open('/settings/people', PHONE)
    await signIn(page, 'ada@example.com', 'a long password')
    await settle(page)
    await check(page)
    const act = async (name: string, item: string) => {
      await button(page, `Actions: ${name}`).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await act('Ada Noor', 'Disable')
    await button(page, 'Disable user').click()
    await page.getByRole('alert').getByText('This is the only active administrator').waitFor()
    await check(page)
    await button(page, 'Cancel').click()
    await act('Nadia Roy', 'Make administrator')
    await expect.poll(() => page.getByRole('cell', { name: 'Administrator' }).count()).toBe(2)
    await act('Nadia Roy', 'Create password reset link')
    await button(page, 'Create link').click()
    const link = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    await check(page)
    await button(page, 'Done').click()

    const forgetful = await open('/', PHONE)
    await forgetful.getByText('Forgot your password? Ask an administrator').waitFor()
    await forgetful.goto(link)
    await forgetful.getByText('For nadia@example.com at Quay Street.').waitFor()
    await check(forgetful)
    await forgetful.getByLabel('New password', { exact: true }).fill('nadias new password')
    await forgetful.keyboard.press('Enter')
    await forgetful.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

    await act('Nadia Roy', 'Disable')
    await button(page, 'Disable user').click()
    await page.getByText(/^Disabled /).waitFor()
    await forgetful.reload()
    await button(forgetful, 'Sign in').waitFor()
    await act('Nadia Roy', 'Enable')
    await page.getByText('Nadia Roy can sign in again.').waitFor()
  })
})

describe('the account', () => {
  it('U9: lists the sessions and ends one of them', async () => {
    await pool.query('DELETE FROM sessions')
    const phone = await open('/account', PHONE)
    await signIn(phone, 'ada@example.com', 'a long password')
    await phone.getByText('This browser').waitFor()
    const desk = await open('/account')
    await signIn(desk, 'ada@example.com', 'a long password')
    const rows = desk.locator('.row-list li')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.first().innerText()).toMatch(/Chrome on Linux\n+This browser · 127\.0\.0\.1/)
    await phone.reload()
    await settle(phone)
    await check(phone)
    await desk.getByRole('button', { name: /^End session of Chrome on Linux/ }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await phone.reload()
    await button(phone, 'Sign in').waitFor()
  })
})
