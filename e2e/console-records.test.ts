/** The pages of records: lists, forms, archiving, conflicts, merging and CSV files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { RECORD_PAGES, RECORD_PATHS } from '../src/core/record-kinds.ts'
import { atEnd } from '../test/support/at-end.ts'
import { expectNoBarriers } from './barriers.ts'
import { TWO_LOOKS } from './console.ts'
import { settle } from './console-pages.ts'
import { smallWorld } from './small-world.ts'

const { record, start } = smallWorld('co_records')
/** More than a page of a contact lists. */
const booked = Array.from({ length: 11 }, (_, i) => {
  const [leadId, currency, createdAt] = ['lead_3', 'USD', `2026-01-${10 + i}T12:00:00.000Z`]
  const event = { locationId: 'loc', eventTypeId: 'type', eventAddress: 'Pier 4', bookedAt: createdAt }
  return [
    // The oldest ones come from another system.
    record('quote', `b${i}`, { ...event, leadId, currency, createdAt, ...(i > 1 && { number: `Q-${i}` }) }),
    record('booking', `b${i}`, { leadId, quoteId: `b${i}`, currency, createdAt, totalPriceCents: 5 }),
  ]
})
const app = await start([
  record('location', 'loc', { name: 'Denver', timeZone: 'America/Denver' }),
  record('lead', 'lead_1', { firstName: 'Ada', lastName: 'Lane', email: 'ada@example.com' }),
  record('lead', 'lead_2', { firstName: 'A.', lastName: 'Lane', phone: '555 0100' }),
  record('lead', 'lead_3', { firstName: 'Busy', lastName: 'Holt' }),
  record('service', 'srv', { name: 'Espresso bar', prices: [{ currency: 'USD', unitPriceCents: 12_500 }] }),
  record('addon', 'add', { name: 'Oat milk', taxable: false }),
  record('discount', 'off', { name: 'Friends', type: 'PERCENT', percentOff: 10 }),
  record('taxRate', 'tax', { name: 'City', rate: 8.875 }),
  record('eventType', 'type', { name: 'Gala' }),
  record('quote', 'q', {
    leadId: 'lead_2',
    locationId: 'loc',
    eventAddress: 'Pier 4',
    currency: 'USD',
    discountId: 'off',
  }),
  ...booked.flat(),
])
const { pool } = app.database

const CUSTOM_LINE = {
  kind: 'CUSTOM',
  serviceId: null,
  addonId: null,
  quantity: 1,
  taxable: true,
  optional: false,
  selected: true,
  optionGroup: null,
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const chooseOption = async (page: Page, field: Locator, option: string) => {
  await field.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const overhang = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

async function open(path: string, options: Parameters<typeof app.open>[1] = {}): Promise<Page> {
  const page = await app.open(path, { role: 'MEMBER', ...options })
  await settle(page)
  return page
}

describe.each(TWO_LOOKS)('in the look %s', async (name, look) => {
  const phone = name.startsWith('phone') ? { viewport: { width: 360, height: 780 } } : {}
  const page = await app.open('/', { ...look, ...phone })

  it.each([
    ...RECORD_PATHS.map((path) => RECORD_PAGES[path]),
    ...RECORD_PATHS.map((path) => `${RECORD_PAGES[path]}/new`),
    '/contacts/lead_1',
    '/contacts/import',
    '/catalog/services/srv',
  ])('N1, N4: %s has no barriers and fits the window', async (path) => {
    await page.goto(app.url + path)
    await settle(page)
    await expectNoBarriers(page)
    expect(await overhang(page)).toBe(0)
  })
})

describe('a service', () => {
  it('N4, N7: is created with the keyboard, found, archived and restored', async () => {
    const page = await open('/catalog/services')
    await page.getByRole('link', { name: 'New service' }).click()
    await expect.poll(() => page.locator('input:focus').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.getByText('Enter the name.').waitFor()
    await page.keyboard.type('Cocktail bar')
    await page.getByLabel('Price in USD').fill('1,250.5')
    await page.getByRole('combobox', { name: 'Unit', exact: true }).click()
    await page.getByRole('option', { name: 'per hour' }).click()
    await page.getByLabel('Image URL').fill('http://example.com')
    await page.keyboard.press('Enter')
    await page.getByText('Must be an https URL of at most 2000 characters.').waitFor()
    await page.getByLabel('Image URL').fill('')
    await page.keyboard.press('Enter')
    await heading(page, 'Cocktail bar').waitFor()
    await page.getByText('$1,250.50 per hour').waitFor()

    await button(page, 'Archive').click()
    await page.getByText('Archived on').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Services', exact: true }).click()
    await page.getByRole('searchbox').fill('cock')
    await page.getByRole('heading', { name: 'No matching services' }).waitFor()
    await page.getByRole('combobox', { name: 'Current or archived' }).click()
    await page.getByRole('option', { name: 'Archived' }).click()
    await page.getByRole('link', { name: 'Cocktail bar' }).click()
    await button(page, 'Restore').click()
    await button(page, 'Edit').waitFor()
    // The link back has the filters.
    await page.getByRole('main').getByRole('link', { name: 'Services', exact: true }).click()
    await page.waitForURL('**/catalog/services?search=cock&archived=yes')
  })

  it('N3: is in the CSV file of the list', async () => {
    const page = await open('/catalog/services?search=espresso')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toContain('"srv","Espresso bar","","125.00","EACH","yes"')
  })

  it('N4: shows the error of a price at its row', async () => {
    const page = await open('/catalog/services/new')
    await page.getByLabel('Name').fill('Juice bar')
    await button(page, 'Add currency').click()
    await page.getByLabel('Price in EUR', { exact: true }).fill('abc')
    await button(page, 'Create service').click()
    await page.getByText('Enter an amount of at least 0.').waitFor()
    expect(await page.getByLabel('Price in EUR', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Price in USD', { exact: true }).getAttribute('aria-invalid')).not.toBe(
      'true',
    )
  })

  it('N1: leads back to the first page after the last service of a later one is archived', async () => {
    await pool.query(
      `INSERT INTO services (company_id, id, name) SELECT 'co_records', 'filler' || i, 'Filler ' || i FROM generate_series(1, 26) i`,
    )
    const page = await open('/catalog/services?search=filler')
    await page.getByRole('link', { name: 'Next' }).click()
    const fillers = page.getByRole('link', { name: /^Filler/ })
    await expect.poll(() => fillers.count()).toBe(1)
    await fillers.click()
    await button(page, 'Archive').click()
    await page.getByText('Archived on').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Services', exact: true }).click()
    await page.getByRole('heading', { name: 'No more services' }).waitFor()
    await page.getByRole('link', { name: 'Export CSV' }).waitFor()
    await page.getByRole('link', { name: 'First page' }).click()
    await page.waitForURL('**/catalog/services?search=filler')
    await expect.poll(() => fillers.count()).toBe(25)
    await pool.query(`DELETE FROM services WHERE id LIKE 'filler%'`)
  })

  it('N5: cannot be changed while it is saved, and keeps the focus after an error', async () => {
    const page = await open('/catalog/addons/add')
    await button(page, 'Edit').click()
    const field = page.getByLabel('Name')
    await field.fill('Soy milk')
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/console/addons/add', async (route) => {
      await isReleased
      await route.abort()
    })
    await field.press('Enter')
    await expect.poll(() => field.isDisabled()).toBe(true)
    await page.keyboard.type(' and more')
    await expectNoBarriers(page)
    release()
    await page.getByText('Cannot reach the server.').waitFor()
    expect(await field.inputValue()).toBe('Soy milk')
    await expect.poll(() => page.locator('input:focus').inputValue()).toBe('Soy milk')
  })

  it('N5: shows an error if the other version cannot be loaded, and tries again', async () => {
    const page = await open('/catalog/addons/add')
    await button(page, 'Edit').click()
    await page.getByLabel('Name').fill('Soy milk')
    await pool.query(`UPDATE addons SET name = 'Rice milk', updated_at = now() WHERE id = 'add'`)
    await page.route('**/console/addons/add', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await button(page, 'Save add-on').click()
    await page.getByText('Cannot reach the server.').waitFor()
    await page.unroute('**/console/addons/add')
    await button(page, 'Save add-on').click()
    await page.getByRole('dialog').getByLabel('Theirs: Rice milk').waitFor()
    await pool.query(`UPDATE addons SET name = 'Oat milk' WHERE id = 'add'`)
  })

  it('shows an image URL that could run a script as text, and links to others', async () => {
    await pool.query(
      `INSERT INTO services (company_id, id, name, image_url) VALUES
         ('co_records', 'script', 'Script', 'javascript:alert(1)'),
         ('co_records', 'picture', 'Picture', 'http://example.com/a.png')`,
    )
    const page = await open('/catalog/services/script')
    await page.getByText('javascript:alert(1)').waitFor()
    expect(await page.getByRole('link', { name: 'javascript:alert(1)' }).count()).toBe(0)
    await page.goto(`${app.url}/catalog/services/picture`)
    await page.getByRole('link', { name: 'http://example.com/a.png' }).waitFor()
    await pool.query(`DELETE FROM services WHERE id IN ('script', 'picture')`)
  })

  it('N5: shows both versions if someone else saved it, and loses nothing that was typed', async () => {
    const page = await open('/catalog/services/srv')
    await button(page, 'Edit').click()
    await page.getByLabel('Name').fill('Coffee cart')
    await page.getByLabel('Description').fill('With two baristas')
    await pool.query(
      `UPDATE services SET name = 'Espresso cart', unit = 'DAY', updated_at = now() WHERE id = 'srv'`,
    )
    await button(page, 'Save service').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing you typed is lost.', { exact: false }).waitFor()
    await expectNoBarriers(page)
    await expect
      .poll(() => dialog.getByRole('radio', { checked: true }).evaluateAll((all) => all.length))
      .toBe(3)
    await dialog.getByRole('radiogroup', { name: 'Name' }).getByLabel('Theirs: Espresso cart').click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await heading(page, 'Espresso cart').waitFor()
    await page.getByText('With two baristas').waitFor()
    const { rows } = await pool.query(`SELECT name, unit, description FROM services WHERE id = 'srv'`)
    expect(rows).toEqual([{ name: 'Espresso cart', unit: 'DAY', description: 'With two baristas' }])
  })

  it('N5: names the location that each version of equipment has', async () => {
    await pool.query(
      `INSERT INTO resources (company_id, id, name, location_id, status) VALUES ('co_records', 'tent', 'Tent', 'loc', 'Active')`,
    )
    await pool.query(
      `INSERT INTO locations (company_id, id, name, time_zone) VALUES
        ('co_records', 'loc_mine', 'Boulder', 'America/Denver'), ('co_records', 'loc_theirs', 'Aspen', 'America/Denver')`,
    )
    const page = await open('/equipment/tent')
    await button(page, 'Edit').click()
    await chooseOption(page, page.getByRole('combobox', { name: 'Location' }), 'Boulder')
    await pool.query(`UPDATE resources SET location_id = 'loc_theirs', updated_at = now() WHERE id = 'tent'`)
    await button(page, 'Save piece of equipment').click()
    const choice = page.getByRole('dialog').getByRole('radiogroup', { name: 'Location' })
    await choice.getByLabel('Mine: Boulder').waitFor()
    await choice.getByLabel('Theirs: Aspen').waitFor()
  })

  it('N5: shows the services and prices that each version of a package has', async () => {
    const lines = (unitPriceCents: number) =>
      JSON.stringify([{ ...CUSTOM_LINE, description: 'Setup', unitPriceCents }])
    await pool.query(
      `INSERT INTO packages (company_id, id, name, lines) VALUES ('co_records', 'pack', 'Brunch', $1)`,
      [lines(5_000)],
    )
    const page = await open('/catalog/packages/pack')
    await page.getByText('Setup ($50.00)').waitFor()
    await button(page, 'Edit').click()
    await button(page, 'Service').click()
    await chooseOption(
      page,
      page.getByRole('group', { name: 'Line 2' }).getByRole('combobox', { name: 'Service' }),
      'Espresso cart',
    )
    await pool.query(`UPDATE packages SET lines = $1, updated_at = now() WHERE id = 'pack'`, [lines(6_000)])
    await button(page, 'Save package').click()
    const choice = page.getByRole('dialog').getByRole('radiogroup', { name: 'Lines' })
    await choice.getByLabel('Mine: Setup ($50.00) Espresso cart').waitFor()
    await choice.getByLabel('Theirs: Setup ($60.00)').waitFor()
  })

  it('asks before typed text is lost', async () => {
    const page = await open('/catalog/addons/new')
    await page.getByLabel('Name').fill('Ice')
    await button(page, 'Cancel').click()
    await button(page, 'Discard changes').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ice')
  })
})

describe('an add-on in a form', () => {
  it('N5: is kept when the request fails or the session ends', async () => {
    const page = await open('/catalog/addons/new')
    await page.getByLabel('Name').fill('Crushed ice')
    await page.route('**/console/addons', (route) => route.abort())
    await button(page, 'Create add-on').click()
    await page.getByText('Cannot reach the server.').waitFor()
    await page.unroute('**/console/addons')
    await pool.query('DELETE FROM sessions')
    await button(page, 'Create add-on').click()
    await page.getByText('Your unsaved changes are kept.').waitFor()
    await expectNoBarriers(page)
    await page.getByLabel('Email').fill('member@co_records.example')
    await page.getByLabel('Password', { exact: true }).fill('a password for tests')
    await button(page, 'Sign in').click()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Crushed ice')
    await button(page, 'Create add-on').click()
    await heading(page, 'Crushed ice').waitFor()
  })
})

describe('an event type whose response is lost', () => {
  it('N11: is created once, although the user saves it again', async () => {
    const page = await open('/catalog/event-types/new')
    await page.getByLabel('Name').fill('Brunch')
    await page.route('**/console/event-types', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button(page, 'Create event type').click()
    await page.getByText('Cannot reach the server.').waitFor()
    await page.unroute('**/console/event-types')
    await button(page, 'Create event type').click()
    await heading(page, 'Brunch').waitFor()
    const { rows } = await pool.query(`SELECT name FROM event_types WHERE name = 'Brunch'`)
    expect(rows).toHaveLength(1)
  })
})

describe('a discount', () => {
  it('N4: of a fixed amount is in the currency of the company, unless another one is chosen', async () => {
    const page = await open('/catalog/discounts/new')
    const type = page.getByRole('combobox', { name: 'Type' })
    await page.getByLabel('Name').fill('Voucher')
    await page.getByLabel('Percentage').fill('5')
    await button(page, 'Create discount').click()
    await heading(page, 'Voucher').waitFor()
    await button(page, 'Edit').click()
    await chooseOption(page, type, 'Fixed amount')
    await page.getByLabel('Amount').fill('25')
    await button(page, 'Save discount').click()
    await page.getByText('$25.00').waitFor()

    await page.goto(`${app.url}/catalog/discounts/new`)
    await page.getByLabel('Name').fill('Gift')
    await chooseOption(page, type, 'Fixed amount')
    expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toBe('USD')
    await page.getByLabel('Amount').fill('30')
    await button(page, 'Create discount').click()
    await heading(page, 'Gift').waitFor()
    await page.getByText('$30.00').waitFor()
  })
})

describe('a discount that someone else archived', () => {
  it('N5: cannot be saved, and the page says why', async () => {
    await pool.query(
      `INSERT INTO discounts (company_id, id, name, type, percent_off) VALUES ('co_records', 'spring', 'Spring', 'PERCENT', 5)`,
    )
    const page = await open('/catalog/discounts/spring')
    await button(page, 'Edit').click()
    await page.getByLabel('Percentage').fill('7')
    await pool.query(`UPDATE discounts SET archived_at = now(), updated_at = now() WHERE id = 'spring'`)
    await button(page, 'Save discount').click()
    const dialog = page.getByRole('dialog', { name: 'Someone else archived this discount' })
    await dialog.getByText('cannot be saved', { exact: false }).waitFor()
    await expectNoBarriers(page)
    expect(await dialog.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Back to editing' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Percentage').inputValue()).toBe('7')
    await button(page, 'Cancel').click()
    await button(page, 'Discard changes').click()
    await button(page, 'Restore').waitFor()
  })
})

describe('a discount that a quote refers to', () => {
  it('N6: is replaced, and the page says so before and after', async () => {
    const page = await open('/catalog/discounts/off')
    await button(page, 'Edit').click()
    await page.getByText('If you change more than the name', { exact: false }).waitFor()
    await page.getByLabel('Percentage').fill('12.5')
    await button(page, 'Save discount').click()
    await page.getByText('The old one is archived and stays on its quotes.', { exact: false }).waitFor()
    await page.getByText('12.5%').waitFor()
    expect(page.url()).not.toContain('/off')
    const { rows } = await pool.query(`SELECT discount_id FROM quotes WHERE id = 'q'`)
    expect(rows).toEqual([{ discount_id: 'off' }])
  })
})

describe('a contact', () => {
  it('N8, N9: warns of the same email address, and is merged after a look at the result', async () => {
    const page = await open('/contacts/lead_1')
    await button(page, 'Edit').click()
    await pool.query(`UPDATE leads SET email = 'other@example.com' WHERE id = 'lead_2'`)
    await page.getByLabel('Email').fill('other@example.com')
    await page.getByText('Also the email address of').waitFor()
    await button(page, 'Save contact').click()
    await button(page, 'Merge').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Contact to merge').fill('A.')
    await page.getByRole('option', { name: 'A. Lane' }).click()
    await dialog.getByText('Moves 1 quote, 0 bookings and 0 invoices, and archives A. Lane.').waitFor()
    await expectNoBarriers(page)
    await dialog.getByRole('button', { name: 'Merge contacts' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('555 0100').first().waitFor()
    await page.getByText('Another contact was merged into this one').waitFor()
    await page.getByText('Contact edited').first().waitFor()
    await page.getByRole('heading', { level: 2, name: 'Quotes' }).waitFor()
  })

  it('N8: shows the numbers of its quotes, and links to all that are booked', async () => {
    const page = await open('/contacts/lead_3')
    const quotes = page.locator('section', {
      has: page.getByRole('heading', { name: 'Quotes', exact: true }),
    })
    const texts = await quotes.locator('.record-related-name').allInnerTexts()
    expect(texts[0]?.split(/\s*\n/)).toEqual(['Gala', 'Q-10 · Created Jan 20, 2026'])
    expect(texts.at(-1)?.split(/\s*\n/)).toEqual(['Gala', 'Created Jan 11, 2026'])
    await expectNoBarriers(page)
    await page.getByText('These are the 10 newest bookings.').waitFor()
    await page.getByRole('link', { name: 'All booked quotes for this customer' }).click()
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(12)
    expect(new URL(page.url()).search).toBe('?lead=lead_3&state=booked')
  })

  it('N10: is imported from a file after its errors are corrected', async () => {
    const page = await open('/contacts/import')
    const input = page.locator('input[type=file]')
    const folder = await mkdtemp(join(tmpdir(), 'quoting-test-'))
    atEnd(() => rm(folder, { recursive: true }))
    const path = join(folder, 'list.csv')
    // The same file each time, as a spreadsheet saves it again.
    const choose = async (text: string) => {
      await writeFile(path, text)
      await input.setInputFiles(path)
      // Otherwise a window does not report the second choice. Without a window, every choice is reported.
      expect(await input.inputValue()).toBe('')
    }
    await choose('Who,Email\nGrace Holt,no-at-sign\n')
    await page.getByText('1 of 1 rows have errors').waitFor()
    await expect.poll(() => button(page, 'Import 1 contact').isDisabled()).toBe(true)
    await choose('Who,Email\nGrace Holt,grace@example.com\n')
    await page.getByText('1 row can be imported', { exact: false }).waitFor()
    await page.getByRole('combobox', { name: 'Full name' }).click()
    await page.getByRole('option', { name: 'Who' }).click()
    await page.getByRole('cell', { name: 'Holt' }).waitFor()
    await expectNoBarriers(page)
    await button(page, 'Import 1 contact').click()
    await page.getByRole('link', { name: 'Grace Holt' }).waitFor()
  })

  it('N10: is imported only with a result of the columns that are shown', async () => {
    const page = await open('/contacts/import')
    const buffer = Buffer.from('Who,Email\nIda Brook,ida@example.com\n')
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('1 row can be imported', { exact: false }).waitFor()
    const column = (name: string) => page.getByRole('combobox', { name })
    const importButton = button(page, 'Import 1 contact')

    // The dry run of the first choice responds after that of the second.
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route(
      '**/console/contacts/import',
      async (route) => {
        await isReleased
        await route.continue()
      },
      { times: 1 },
    )
    await chooseOption(page, column('First name'), 'Who')
    await chooseOption(page, column('Company'), 'Who')
    await expect.poll(() => page.getByRole('cell', { name: 'Ida Brook' }).count()).toBe(2)
    const late = page.waitForResponse('**/console/contacts/import')
    release()
    await (await late).finished()
    await importButton.focus()
    expect(await column('Company').inputValue()).toBe('Who')

    await page.route('**/console/contacts/import', (route) => route.abort())
    // The chosen option again: the field becomes empty.
    await chooseOption(page, column('Company'), 'Who')
    await page.getByText('Cannot reach the server.').waitFor()
    expect(await importButton.isDisabled()).toBe(true)
    expect(await column('Company').inputValue()).toBe('')
    await expectNoBarriers(page)
    await page.unroute('**/console/contacts/import')
    await button(page, 'Retry').click()
    await expect.poll(() => page.getByRole('cell', { name: 'Ida Brook' }).count()).toBe(1)
    await importButton.click()
    await page.getByRole('link', { name: 'Ida Brook' }).waitFor()
    const { rows } = await pool.query(`SELECT first_name, company_name FROM leads WHERE email LIKE 'ida@%'`)
    expect(rows).toEqual([{ first_name: 'Ida Brook', company_name: null }])
  })
})

describe('a package and a contract', () => {
  it('N4: a package has lines of the catalog and its own', async () => {
    const page = await open('/catalog/packages/new')
    await page.getByLabel('Name').fill('Morning')
    await button(page, 'Add-on').click()
    const line = page.getByRole('group', { name: 'Line 1' })
    await line.getByRole('combobox', { name: 'Add-on' }).fill('oat')
    await page.getByRole('option', { name: 'Oat milk' }).click()
    // An exempt item is not taxed in a package, unless the user decides otherwise.
    await expect.poll(() => line.getByLabel('Taxable').isChecked()).toBe(false)
    await line.getByLabel('Note').fill('Barista edition')
    await line.getByLabel('Quantity').fill('2')
    await chooseOption(page, line.getByRole('combobox', { name: 'In the quote' }), 'Optional')
    await button(page, 'Custom').click()
    await page.getByRole('group', { name: 'Line 2' }).getByLabel('Description').fill('Setup')
    // What described a custom line would be an unseen note of a service.
    await button(page, 'Custom').click()
    const changed = page.getByRole('group', { name: 'Line 3' })
    await changed.getByLabel('Description').fill('Coffee')
    await chooseOption(page, changed.getByRole('combobox', { name: 'Kind' }), 'Service')
    expect(await changed.getByLabel('Note').inputValue()).toBe('')
    await button(page, 'Remove line 3').click()
    await button(page, 'Move line 2 up').click()
    await button(page, 'Create package').click()
    await heading(page, 'Morning').waitFor()
    const { rows } = await pool.query(`SELECT lines FROM packages WHERE name = 'Morning'`)
    expect(rows[0]?.lines).toMatchObject([
      { kind: 'CUSTOM', description: 'Setup', quantity: 1 },
      {
        kind: 'ADDON',
        addonId: 'add',
        quantity: 2,
        optional: true,
        description: 'Barista edition',
        unitPriceCents: null,
        taxable: false,
      },
    ])
    await page.getByText('2 × Oat milk').waitFor()
  })

  it('N4: amounts of a package are not saved in a currency that the company had before', async () => {
    const page = await open('/catalog/packages/new')
    await page.getByLabel('Name').fill('Noon')
    await button(page, 'Custom').click()
    const line = page.getByRole('group', { name: 'Line 1' })
    await line.getByLabel('Description').fill('Setup')
    await line.getByLabel('Unit price (USD)').fill('50.00')
    await pool.query(`UPDATE companies SET currency = 'JPY' WHERE id = 'co_records'`)
    await button(page, 'Create package').click()
    await page.getByText('The currency of the company is now JPY.', { exact: false }).waitFor()
    await line.getByLabel('Unit price (JPY)').fill('50')
    await button(page, 'Create package').click()
    await page.getByText('Setup (¥50)').waitFor()
    await pool.query(`UPDATE companies SET currency = 'USD' WHERE id = 'co_records'`)
  })

  it('Q3: lines of a package can be alternatives, of which one is selected', async () => {
    const page = await open('/catalog/packages/new')
    await page.getByLabel('Name').fill('Evening')
    for (const [i, name] of ['Open bar', 'Beer and wine', 'Soft drinks'].entries()) {
      await button(page, 'Custom').click()
      const line = page.getByRole('group', { name: `Line ${i + 1}` })
      await line.getByLabel('Description').fill(name)
      await chooseOption(page, line.getByRole('combobox', { name: 'In the quote' }), 'Alternative')
    }
    const group = page.getByRole('group', { name: 'Line 3' }).getByLabel('Group of alternatives')
    expect(await group.inputValue()).toBe('Choice')
    await expectNoBarriers(page)
    await group.fill('')
    await button(page, 'Create package').click()
    await page.getByText('Enter a name for the group of alternatives.').waitFor()
    await group.fill('Choice')
    await page.getByRole('group', { name: 'Line 2' }).getByLabel('Selected at first').click()
    await button(page, 'Create package').click()
    await heading(page, 'Evening').waitFor()
    const { rows } = await pool.query(`SELECT lines FROM packages WHERE name = 'Evening'`)
    expect(rows[0]?.lines).toMatchObject([
      { description: 'Open bar', optional: false, selected: false, optionGroup: 'Choice' },
      { description: 'Beer and wine', optional: false, selected: true, optionGroup: 'Choice' },
      { description: 'Soft drinks', optional: false, selected: false, optionGroup: 'Choice' },
    ])
  })

  it('N4: a contract warns of unknown placeholders and inserts known ones', async () => {
    const page = await open('/catalog/contracts/new')
    await page.getByLabel('Name').fill('Standard')
    await page.getByLabel('Text').fill('Dear {{costumer.name}} ')
    await page.getByText('Unknown: {{costumer.name}}.', { exact: false }).waitFor()
    await page.getByLabel('Text').fill('Dear ')
    await button(page, 'Insert placeholder').click()
    await page.getByRole('menuitem', { name: 'Name of the customer' }).click()
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('Dear {{customer.name}}')
    await button(page, 'Create contract').click()
    await heading(page, 'Standard').waitFor()
  })
})

describe('a company without a location', () => {
  it('Q1: is led from a new quote to a new location, and then gets the form', async () => {
    await pool.query('UPDATE locations SET archived_at = now()')
    const page = await open('/quotes/new')
    await page.getByText('Add a location first').waitFor()
    await expectNoBarriers(page)
    await page.getByRole('link', { name: 'Add a location' }).click()
    await page.getByLabel('Name').fill('Old mill')
    await button(page, 'Create location').click()
    await heading(page, 'Old mill').waitFor()
    await page.goto(`${app.url}/quotes/new`)
    await page.getByRole('combobox', { name: 'Contact' }).waitFor()
  })
})
