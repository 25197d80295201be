/**
 * `npm run journey`: a new company sets up the product, writes its first quotes and makes its first sales. Runs in a real
 * browser and starts with an empty database. Screenshots, durations and clicks of each step are in `.journey`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startBrowser } from '../e2e/browser.ts'
import { freePort } from '../test/support/command.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { createDatabase } from '../test/support/database.ts'
import { startCommand } from '../test/support/process.ts'
import { startMailServer } from '../test/support/smtp.ts'
import { startReceiver } from '../test/support/webhook-receiver.ts'
import { Journey } from './steps.ts'

const { connection } = await createDatabase()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const mail = await startMailServer()
const hooks = await startReceiver()
const program = startCommand(['serve'], {
  DATABASE_URL: connectionUrl(connection),
  APP_SECRET: 'a secret that is long enough for the journey',
  PORT: String(port),
  PUBLIC_URL: url,
  SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  MAIL_FROM: 'Fig & Fennel <quotes@fig.example>',
  WEBHOOK_ALLOW_PRIVATE: 'true',
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

/** Types into a select and chooses the first match with Enter, like an experienced user. */
async function choose(input: Locator, text: string): Promise<void> {
  await input.pressSequentially(text)
  await page
    .getByRole('option', { name: new RegExp(text) })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
}

const saved = (message: RegExp | string) => page.getByText(message).first().waitFor()

/** The date in this number of days, in the format of a date input */
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
      await field('Email').fill('hello@fig.example')
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

  it('creates a package', async () => {
    await journey.step('Package', async () => {
      await openTab('Packages')
      await page.getByRole('link', { name: 'New package' }).first().click()
      await field('Name').fill('Evening')
      await button('Service').click()
      await choose(field('Service', page.getByRole('group', { name: 'Line 1' })), 'Photo booth')
      await button('Service').click()
      const second = page.getByRole('group', { name: 'Line 2' })
      await choose(field('Service', second), 'Grazing table')
      await field('In the quote', second).click()
      await page.getByRole('option', { name: 'Optional' }).click()
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
      // The form selects the only location by default.
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

  it('deselects an option and adds a discount', async () => {
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
      // 6 hours of bar, 80 guests, a tasting, 4 hours of booth, minus 10 %.
      await page.getByText('$5,139.00').first().waitFor()
    })
  })

  it('returns the same total from the API', async () => {
    await journey.step('Total over the API', async () => {
      await go('Integrations')
      await button('Create API key').click()
      const dialog = page.getByRole('dialog')
      await field('Name', dialog).fill('Journey')
      await dialog.getByRole('button', { name: /^Create/ }).click()
      key = (await dialog.locator('pre').first().textContent()) ?? ''
      await dialog.getByRole('button', { name: 'I have saved the API key' }).click()
      await dialog.waitFor({ state: 'hidden' })
    })
    const { data } = await api<{ data: Record<string, unknown>[] }>(
      'GET',
      'quotes?expand[]=data.lead&expand[]=data.services',
    )
    expect(data).toMatchObject([{ totalPriceCents: 513_900, guestCount: 80, lead: { name: 'Ines Duarte' } }])
    const services = data[0]?.['services'] as { name: string }[]
    expect(services.map(({ name }) => name)).toEqual(['Mobile bar', 'Open bar', 'Photo booth', 'Tasting'])
    await api('POST', 'webhook-endpoints', { url: hooks.url, types: ['*'] })
  })
})

let key = ''

async function api<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return answer as Answer
}

/** Sends the quote on the page by email, and returns the link in the message that arrives. */
async function sendQuote(to: string): Promise<string> {
  await button('Send quote').click()
  const dialog = page.getByRole('dialog', { name: 'Send quote' })
  await field('Message to the customer', dialog).fill('Here is what we talked about.')
  await button('Send quote', dialog).click()
  await dialog.getByText('The quote is being sent to').waitFor()
  const { parsed } = await mail.to(to)
  expect(parsed.text).toContain('Here is what we talked about.')
  const [link = ''] = /http:\S+\/q\/\S+/.exec(parsed.text ?? '') ?? []
  expect(parsed.html).toContain(link)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return link
}

/** Opens a link in a browser context without a session. */
const visit = async (link: string, options: BrowserContextOptions = {}) => {
  const visitor = await (await browser.newContext({ locale: 'en-US', ...options })).newPage()
  await visitor.goto(link)
  return visitor
}

async function accept(visitor: Page, name: string): Promise<void> {
  await visitor.getByLabel('Your full name').fill(name)
  await visitor.getByLabel(/^I accept this quote/).check()
  await visitor.getByRole('button', { name: 'Accept and book' }).click()
  await visitor.getByText('Accepted and booked').waitFor()
}

interface BookedQuote {
  id: string
  totalPriceCents: number
  booking: { totalPriceCents: number; events: object[]; invoices: { total: number; url: string }[] }
}

/** Returns the quote. Checks that its amount equals those of its booking and invoices. */
async function expectSale(lead: string, totalPriceCents: number, days: number): Promise<BookedQuote> {
  const { data } = await api<{ data: (BookedQuote & { lead: { name: string } })[] }>(
    'GET',
    'quotes?expand[]=data.lead&expand[]=data.booking.events&expand[]=data.booking.invoices',
  )
  const quote = data.find((one) => one.lead.name === lead)
  if (quote === undefined) throw new Error(`${lead} has no quote`)
  expect(quote).toMatchObject({ totalPriceCents, booking: { totalPriceCents } })
  expect(quote.booking.events).toHaveLength(days)
  expect(quote.booking.invoices.reduce((sum, { total }) => sum + total, 0)).toBe(totalPriceCents)
  return quote
}

describe('from the form on the website to the invoice', () => {
  let formLink = ''

  it('publishes a quote form', async () => {
    await journey.step('Quote form', async () => {
      await go('Forms')
      await button('New form').click()
      await field('Name').fill('Garden parties')
      await button('Create form').click()
      await page.getByRole('heading', { level: 1, name: 'Garden parties' }).waitFor()
      await button('Publish form').click()
      await page.getByText('Published', { exact: true }).waitFor()
    })
    formLink = `${url}/f/garden-parties`
  })

  it('emails the company when a visitor submits the form', async () => {
    const visitor = await visit(formLink)
    await visitor.getByLabel(/name/i).first().fill('Theo Brandt')
    await visitor.getByLabel(/email/i).first().fill('theo@brandt.example')
    await visitor
      .getByLabel(/day|date/i)
      .first()
      .fill(inDays(90))
    await visitor
      .getByLabel(/guests/i)
      .first()
      .fill('40')
    await journey.stepOf(visitor, 'Visitor submits the form', async () => {
      // The form rejects answers that are submitted faster than a person can type.
      await wait(3_000)
      await visitor.getByRole('button', { name: 'Send request' }).click()
      await visitor.getByRole('heading', { name: 'Thank you' }).waitFor()
    })
    const { parsed } = await mail.to('hello@fig.example')
    expect(parsed.text).toContain('Theo Brandt')
  })

  it('sends the finished draft by email, and books it when the customer accepts', async () => {
    let link = ''
    await journey.step('Finish and send the inquiry', async () => {
      await go('Quotes')
      await page
        .getByRole('link', { name: /Theo Brandt/ })
        .first()
        .click()
      await page.getByRole('region', { name: 'Form answers' }).getByText('Theo Brandt').first().waitFor()
      await page.getByRole('link', { name: /^Edit/ }).first().click()
      const add = page.getByLabel(/^Add a service, add-on or package/)
      await add.nth(0).click()
      for (const name of ['Tasting', 'Evening']) await choose(add.nth(0), name)
      await button('Save').click()
      await saved('Saved')
      link = await sendQuote('theo@brandt.example')
    })
    const customer = await visit(link)
    await journey.stepOf(customer, 'Customer accepts', async () => {
      const before = await customer.locator('.hero .figure').textContent()
      await customer.getByLabel('Grazing table').uncheck()
      await expect.poll(() => customer.locator('.hero .figure').textContent()).not.toBe(before)
      await accept(customer, 'Theo Brandt')
    })
    await expectSale('Theo Brandt', await totalOf(customer), 1)
  })

  it('accepts a quote without JavaScript', async () => {
    await go('Quotes')
    await page
      .getByRole('link', { name: /Ines Duarte/ })
      .first()
      .click()
    const link = await sendQuote('ines@duarte.example')
    const customer = await visit(link, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    await customer.getByLabel('Grazing table').check()
    await customer.getByRole('button', { name: 'Update total' }).click()
    // Adds 80 guests at $34.75, minus 10 %.
    expect(await totalOf(customer)).toBe(513_900 + 250_200)
    await accept(customer, 'Ines Duarte')
    const { booking } = await expectSale('Ines Duarte', 764_100, 2)
    const invoice = await visit(booking.invoices[0]?.url ?? '')
    await invoice.getByText('Fig & Fennel LLC').first().waitFor()
    await invoice.getByText('$7,641.00').first().waitFor()
    const { parsed } = await mail.find(({ parsed: { subject = '' } }) => /accepted/i.test(subject))
    expect(parsed.text).toMatch(/Theo Brandt|Ines Duarte/)
  })

  it('sends a webhook for each step', async () => {
    const expected = [
      'lead.created',
      'quote.created',
      'form_response.submitted',
      'quote.updated',
      'quote.sent',
      'quote.viewed',
      'quote.accepted',
      'quote.booked',
      'booking.created',
      'event.created',
      'invoice.created',
    ]
    const types = () => new Set(hooks.received.map(({ type }) => type))
    await expect.poll(() => expected.filter((type) => !types().has(type)), { timeout: 30_000 }).toEqual([])
    console.info(journey.describe())
  })
})

/** The total of a quote page, in cents. */
async function totalOf(customer: Page): Promise<number> {
  const text = (await customer.locator('.hero .figure').textContent()) ?? ''
  return Number(text.replaceAll(/\D/g, ''))
}
