/** The page of the company profile. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { TEST_LOGO } from '../test/support/logo.ts'
import { expectNoBarriers } from './barriers.ts'
import { settle } from './console-pages.ts'
import { smallWorld } from './small-world.ts'

const COMPANY = 'co_profile'
const PAGE = '/settings/company'
const { record, start } = smallWorld(COMPANY)
const app = await start([
  record('taxRate', 'tax', { name: 'City tax', rate: 8.875 }),
  record('serviceCharge', 'fee', { name: 'Service', type: 'PERCENT', percentage: 10 }),
])
const { pool } = app.database

async function openProfile(options: Parameters<typeof app.open>[1] = {}): Promise<Page> {
  const page = await app.open(PAGE, options)
  await settle(page)
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const save = async (page: Page) => {
  await button(page, 'Save changes').click()
  await page.getByText('Saved the company profile.').first().waitFor()
}

describe('the company profile', () => {
  it('U4: is edited with logo, color and defaults, and shows what is wrong at its field', async () => {
    const page = await openProfile()
    await field(page, 'Company name').fill('Quay Street Events')
    await field(page, 'Email').fill('hello')
    await page.getByRole('combobox', { name: 'Tax rate' }).click()
    await page.getByRole('option', { name: 'City tax' }).click()
    await page.getByRole('combobox', { name: 'Service charges' }).click()
    await page.getByRole('option', { name: 'Service' }).click()
    await page.keyboard.press('Escape')
    await field(page, 'Accent color').fill('#ffd700')
    await page.getByText('This color is too light to read on white').waitFor()
    await field(page, 'Accent color').fill('#1f6f5c')
    await page.getByText('This color is too light').waitFor({ state: 'detached' })
    const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg>') }
    await page.locator('input[type="file"]').setInputFiles(file)
    // So that the same file can be chosen again.
    expect(await page.locator('input[type="file"]').inputValue()).toBe('')
    await button(page, 'Save changes').click()
    await page.getByText('The file is not an SVG image.').waitFor()
    await page.getByText('Enter an email address.').waitFor()
    await expect.poll(() => page.locator('input:focus').inputValue()).toBe('hello')
    await field(page, 'Email').fill('hello@quay.example')
    const buffer = Buffer.from(TEST_LOGO.split(',')[1] ?? '', 'base64')
    await page.locator('input[type="file"]').setInputFiles({ ...file, buffer })
    await save(page)
    await page.getByRole('banner').getByText('Quay Street Events').waitFor()
    await button(page, 'Save changes').waitFor({ state: 'detached' })
    const shown = page.getByRole('img', { name: 'Logo', exact: true })
    expect(await shown.getAttribute('src')).toMatch(/\/logo\/co_profile\/[0-9a-f]{64}$/)
    expect(
      await shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(0)
    const { rows } = await pool.query(
      `SELECT name, email, accent_color, default_tax_rate_id, default_service_charge_ids FROM companies`,
    )
    expect(rows).toEqual([
      {
        name: 'Quay Street Events',
        email: 'hello@quay.example',
        accent_color: '#1f6f5c',
        default_tax_rate_id: 'tax',
        default_service_charge_ids: ['fee'],
      },
    ])
  })

  it('U5: warns the second editor, who merges both versions', async () => {
    const [mine, theirs] = [await openProfile(), await openProfile()]
    await field(theirs, 'City').fill('Porto')
    await field(theirs, 'Phone').fill('222')
    await save(theirs)
    await field(mine, 'City').fill('Lisbon')
    await field(mine, 'Street').fill('Pier 4')
    await button(mine, 'Save changes').click()
    const dialog = mine.getByRole('dialog')
    await dialog.getByText('Someone else changed the company profile').waitFor()
    await expectNoBarriers(mine)
    expect(await dialog.getByRole('row', { name: /City/ }).innerText()).toMatch(/Porto\s+Lisbon\s+both/)
    await button(mine, 'Apply mine on top').click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await field(mine, 'Phone').inputValue()).toBe('222')
    await save(mine)
    const { rows } = await pool.query('SELECT city, phone, street_address FROM companies')
    expect(rows).toEqual([{ city: 'Lisbon', phone: '222', street_address: 'Pier 4' }])
  })

  it('U5: keeps what is typed while it is being saved', async () => {
    const page = await openProfile()
    let release = () => undefined as void
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/console/settings/company', async (route) => {
      await released
      await route.continue()
    })
    await field(page, 'Phone').fill('555 0111')
    await button(page, 'Save changes').click()
    await field(page, 'Website').fill('https://typed.example')
    release()
    await page.getByText('Saved the company profile.').first().waitFor()
    expect(await field(page, 'Website').inputValue()).toBe('https://typed.example')
    await page.getByText('You have unsaved changes.').waitFor()
    await field(page, 'Website').press('Enter')
    await page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    const { rows } = await pool.query('SELECT phone, website FROM companies WHERE id = $1', [COMPANY])
    expect(rows).toEqual([{ phone: '555 0111', website: 'https://typed.example' }])
  })

  it('U5: says that the version of the other editor cannot be loaded, and tries again', async () => {
    const page = await openProfile()
    await field(page, 'Legal name').fill('Mine Inc.')
    await pool.query("UPDATE companies SET legal_name = 'Theirs Inc.', updated_at = now() WHERE id = $1", [
      COMPANY,
    ])
    await page.route('**/console/company', (route) => route.abort())
    await button(page, 'Save changes').click()
    await page.getByRole('alert').first().waitFor()
    await page.unroute('**/console/company')
    await button(page, 'Save changes').click()
    await page.getByRole('dialog').getByText('Theirs Inc.').waitFor()
  })

  it('U5: keeps the input when the request fails or the session ends, and asks before it is lost', async () => {
    const page = await openProfile()
    await field(page, 'Legal name').fill('Quay Street Lda')
    await page.route('**/console/settings/company', (route) => route.abort())
    await button(page, 'Save changes').click()
    await page.getByText('Cannot reach the server.').waitFor()
    expect(await field(page, 'Legal name').inputValue()).toBe('Quay Street Lda')
    await page.unroute('**/console/settings/company')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('dialog').getByText('Discard your changes?').waitFor()
    await button(page, 'Cancel').click()
    await pool.query('DELETE FROM sessions')
    await button(page, 'Save changes').click()
    await page.getByText('Your unsaved changes are kept.').waitFor()
    await page.getByLabel('Email').fill(`admin@${COMPANY}.example`)
    await page.getByLabel('Password', { exact: true }).fill('a password for tests')
    await button(page, 'Sign in').click()
    await expect.poll(() => field(page, 'Legal name').inputValue()).toBe('Quay Street Lda')
    await save(page)
  })

  it('U4: says what another currency does not convert', async () => {
    const page = await openProfile()
    const warning = page.getByText('Prices in packages and fixed deposits are not converted')
    expect(await warning.count()).toBe(0)
    await page.getByRole('combobox', { name: 'Currency' }).fill('JPY')
    await page.getByRole('option', { name: /JPY/ }).click()
    await warning.waitFor()
    expect(await warning.textContent()).toMatch(
      /: \$100\.00 becomes ¥10,000\. .* price in JPY\. .* stay in USD\./,
    )
    await expectNoBarriers(page)
    await button(page, 'Discard changes').click()
    await warning.waitFor({ state: 'detached' })
  })

  it('U4: marks a default that an import brought archived', async () => {
    await pool.query(
      `INSERT INTO tax_rates (company_id, id, name, rate, archived_at) VALUES ($1, 'old', 'Old tax', 5, now())`,
      [COMPANY],
    )
    await pool.query(`UPDATE companies SET default_tax_rate_id = 'old' WHERE id = $1`, [COMPANY])
    const page = await openProfile()
    expect(await page.getByRole('combobox', { name: 'Tax rate' }).inputValue()).toBe('Old tax (archived)')
    await page.getByText('New quotes do not get it, because it is archived.').waitFor()
    await expectNoBarriers(page)
    await pool.query('UPDATE companies SET default_tax_rate_id = NULL WHERE id = $1', [COMPANY])
  })

  it('U4: works on a phone in the dark and with the keyboard, and members only read it', async () => {
    const page = await openProfile({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
    await expectNoBarriers(page)
    await field(page, 'Footer text').focus()
    await page.keyboard.type('Thank you.')
    await expectNoBarriers(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    while ((await focused()) !== 'Save changes') await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Saved the company profile.').first().waitFor()
    const member = await openProfile({ role: 'MEMBER' })
    await member.getByText('Only administrators can change the profile.').waitFor()
    expect(await field(member, 'Company name').getAttribute('readonly')).not.toBeNull()
    expect(await member.getByRole('button', { name: /logo|save/i }).count()).toBe(0)
    await expectNoBarriers(member)
  })
})
