/**
 * `npm run journey`: a company that has just installed the product sets itself up and writes its first quote, in a real browser,
 * starting from an empty database. Screenshots, durations and clicks of each step are in `.journey`.
 */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startBrowser } from '../e2e/browser.ts'
import { freePort } from '../test/support/command.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { createDatabase } from '../test/support/database.ts'
import { startCommand } from '../test/support/process.ts'
import { Journey } from './steps.ts'

const { connection } = await createDatabase()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const program = startCommand(['serve'], {
  DATABASE_URL: connectionUrl(connection),
  APP_SECRET: 'a secret that is long enough for the journey',
  PORT: String(port),
  PUBLIC_URL: url,
})
const [setupLink = ''] = await program.waitFor(/http:\S+\/setup\/\S+/)

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#8a3b12"/></svg>',
)
const PRICE_LIST = `Name,Unit,Price,Description
Mobile bar,hour,380.00,Four-meter bar with two bartenders
Open bar,guest,28.75,Beer and wine
Grazing table,guest,34.75,"Cheeses, charcuterie and bread"
Photo booth,hour,245.00,With an attendant
Tasting,each,150.00,
`

const browser = await startBrowser()
const page = await (
  await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', reducedMotion: 'reduce' })
).newPage()
const journey = await Journey.start(page)

const field = (label: string | RegExp, within: Page | Locator = page) =>
  within.getByLabel(label, typeof label === 'string' ? { exact: true } : {}).first()
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name }).first()
const go = (area: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByText(area, { exact: true }).click()
const openTab = (name: string) => page.getByRole('link', { name, exact: true }).last().click()

/** Types into a select and takes the first match, as a practiced user does. */
async function choose(input: Locator, text: string): Promise<void> {
  await input.pressSequentially(text)
  await page
    .getByRole('option', { name: new RegExp(text) })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
}

const saved = (message: RegExp | string) => page.getByText(message).first().waitFor()

/** The date in so many days, as the date field of a browser reads it. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('from an empty database to the first quote', () => {
  it('sets up the company with the link that the server printed', async () => {
    await journey.step('Setup', async () => {
      await page.goto(setupLink)
      await field('Company name').fill('Fig & Fennel')
      await field('Your name').fill('Ada Noor')
      await field('Email').fill('ada@fig.example')
      await field('Password').fill('a long password of Ada')
      await button('Create company').click()
      await page.getByText('Add your first location').waitFor()
    })
  })

  it('fills in the company profile', async () => {
    await journey.step('Company profile', async () => {
      await go('Company')
      await field('Legal name').fill('Fig & Fennel LLC')
      await field('Street').fill('12 Orchard Lane')
      await field('City').fill('Hudson')
      await field('Accent color').fill('#8a3b12')
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'fig.svg', mimeType: 'image/svg+xml', buffer: LOGO })
      await button(/^Save/).click()
      await saved(/saved/i)
    })
  })

  it('adds a location', async () => {
    await journey.step('Location', async () => {
      await go('Team')
      await openTab('Locations')
      await page.getByRole('link', { name: 'New location' }).first().click()
      await field('Name').fill('Hudson kitchen')
      await button('Create location').click()
      await page.getByRole('heading', { name: 'Hudson kitchen' }).waitFor()
    })
  })

  it('imports the price list', async () => {
    await journey.step('Catalog by CSV', async () => {
      await go('Catalog')
      await page.getByRole('link', { name: 'Import CSV' }).first().click()
      const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(PRICE_LIST) }
      await page.locator('input[type=file]').setInputFiles(file)
      await button('Import 5 services').click()
      await page.getByRole('link', { name: 'Mobile bar' }).waitFor()
    })
  })

  it('puts a package together', async () => {
    await journey.step('Package', async () => {
      await openTab('Packages')
      await page.getByRole('link', { name: 'New package' }).first().click()
      await field('Name').fill('Evening')
      await button('Service').click()
      await choose(field('Service', page.getByRole('group', { name: 'Line 1' })), 'Photo booth')
      await button('Service').click()
      const second = page.getByRole('group', { name: 'Line 2' })
      await choose(field('Service', second), 'Grazing table')
      await field('Optional', second).check()
      await button('Create package').click()
      await page.getByRole('heading', { name: 'Evening' }).waitFor()
    })
  })

  it('adds a contact', async () => {
    await journey.step('Contact', async () => {
      await go('Contacts')
      await page.getByRole('link', { name: 'New contact' }).first().click()
      await field(/^First name/).fill('Ines')
      await field(/^Last name/).fill('Duarte')
      await field(/^Email/).fill('ines@duarte.example')
      await button('Create contact').click()
      await page.getByRole('heading', { name: 'Ines Duarte' }).waitFor()
    })
  })

  it('writes a draft of five lines on two days with at most 12 clicks', async () => {
    await go('Quotes')
    const clicks = await journey.step('New quote with five lines', async () => {
      await page.getByRole('link', { name: 'New quote' }).first().click()
      await choose(field('Contact'), 'Ines')
      // The only location is chosen already.
      expect(await field('Location').inputValue()).toBe('Hudson kitchen')
      await field('Guests').fill('80')
      await field('Event address').fill('1 River Road, Hudson')
      for (const [day, number] of [
        [60, 1],
        [61, 2],
      ] as const) {
        if (number > 1) await button('Add day').click()
        const group = page.getByRole('group', { name: `Day ${number}` })
        await field(`Day ${number}`, group).fill(inDays(day))
        await field('Start', group).fill('16:00')
        await field('End', group).fill(number === 1 ? '22:00' : '20:00')
      }
      await button('Create quote').click()
      const add = page.getByLabel(/^Add a service, add-on or package/)
      await add.nth(0).click()
      for (const name of ['Mobile bar', 'Open bar', 'Tasting']) await choose(add.nth(0), name)
      await add.nth(1).click()
      await choose(add.nth(1), 'Evening')
      await button('Save').click()
      await saved('Saved')
    })
    expect(clicks).toBeLessThanOrEqual(12)
  })

  it('leaves an option out and gives a discount', async () => {
    await journey.step('Option and discount', async () => {
      await page.getByRole('link', { name: /^Edit/ }).first().click()
      await field('Grazing table is selected').uncheck()
      await button('New discount').click()
      const dialog = page.getByRole('dialog')
      await field('Name', dialog).fill('First event')
      await dialog.getByRole('textbox', { name: 'Percentage' }).fill('10')
      await dialog.getByRole('button', { name: /^(Add|Create)/ }).click()
      await dialog.waitFor({ state: 'hidden' })
      await button('Save').click()
      await saved('Saved')
      // 6 hours of bar, 80 guests, a tasting, 4 hours of booth; less 10 %.
      await page.getByText('$5,139.00').first().waitFor()
    })
  })

  it('has the same total over the API', async () => {
    let key = ''
    await journey.step('Total over the API', async () => {
      await go('Integrations')
      await button('Create API key').click()
      const dialog = page.getByRole('dialog')
      await field('Name', dialog).fill('Journey')
      await dialog.getByRole('button', { name: /^Create/ }).click()
      key = (await dialog.locator('pre').first().textContent()) ?? ''
    })
    const response = await fetch(`${url}/api/quotes?expand[]=data.lead&expand[]=data.services`, {
      headers: { 'x-api-key': key },
    })
    const { data } = (await response.json()) as { data: Record<string, unknown>[] }
    expect(data).toMatchObject([{ totalPriceCents: 513_900, guestCount: 80, lead: { name: 'Ines Duarte' } }])
    const services = data[0]?.['services'] as { name: string }[]
    expect(services.map(({ name }) => name)).toEqual(['Mobile bar', 'Open bar', 'Photo booth', 'Tasting'])
    console.info(journey.describe())
  })
})
