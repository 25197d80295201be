import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { settle } from './console-pages.ts'
import { smallWorld } from './small-world.ts'

const LONG = 'A custom line with a name that is longer than the field it is edited in, whatever the window'

const { record, start } = smallWorld('co_words')
const lead = { firstName: 'Ada', lastName: 'Lane', email: 'ada@example.com', phone: '+1 303 555 0100' }
const times = { serviceStartTime: '2027-04-05T15:00:00Z', serviceEndTime: '2027-04-05T19:00:00Z' }

const app = await start([
  record('location', 'loc', {
    name: 'Denver',
    streetAddress: '3055 Walnut Street',
    city: 'Denver',
    state: 'CO',
    zip: '80205',
    timeZone: 'America/Denver',
  }),
  record('lead', 'lead', lead),
  ...['charge_1', 'charge_2'].map((id) =>
    record('serviceCharge', id, {
      name: `Service charge with a long name, ${id}`,
      type: 'PERCENT',
      percentage: 5,
      taxable: true,
    }),
  ),
  ...['quote', 'quote_open'].map((id) =>
    record('quote', id, {
      leadId: 'lead',
      locationId: 'loc',
      currency: 'USD',
      numberOfStaff: 1,
      numberOfResources: 1,
      guestCount: 10,
      eventAddress: 'Pier 4',
      serviceChargeIds: ['charge_1', 'charge_2'],
      ...(id === 'quote' ? { bookingId: 'book', bookedAt: '2027-01-01T00:00:00Z' } : {}),
    }),
  ),
  record('booking', 'book', {
    quoteId: 'quote',
    leadId: 'lead',
    fullName: 'Ada Lane',
    currency: 'USD',
    totalPriceCents: 500_000,
    gratuityAmountCents: 5_000,
    canceledAt: '2027-02-01T00:00:00Z',
  }),
  record('event', 'event', {
    name: 'Gala',
    bookingId: 'book',
    locationId: 'loc',
    clientName: 'Ada Lane',
    clientEmail: lead.email,
    clientPhone: lead.phone,
    ...times,
  }),
  record('event', 'event_open', { name: 'Picnic', locationId: 'loc', ...times }),
  record('task', 'task', { eventId: 'event_open', description: 'Call' }),
  record('invoice', 'inv', {
    bookingId: 'book',
    currency: 'USD',
    invoiceNumber: 'Q-1',
    totalCents: 100_000,
    amountPaidCents: 0,
    issuedAt: '2027-01-01T00:00:00Z',
  }),
])

const open = async (path: string, options: Parameters<typeof app.open>[1] = {}) => {
  const page = await app.open(path, options)
  await settle(page)
  return page
}
const panel = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })
const labels = (page: Page, name: string) => panel(page, name).locator('dt').allInnerTexts()

describe('the pages of a quote and its event', () => {
  it('use the same labels for the customer, the booking and the location', async () => {
    const quote = await open('/quotes/quote')
    const event = await open('/events/event')
    await expect.poll(() => labels(quote, 'Customer')).toEqual(['Name', 'Email', 'Phone', 'Quotes'])
    await expect.poll(() => labels(event, 'Customer')).toEqual(['Name', 'Email', 'Phone'])
    const shared = ['Booked on', 'Booked by', 'Booked total', 'Gratuity', 'Canceled on']
    await expect.poll(() => labels(quote, 'Booking')).toEqual([...shared, 'Events'])
    await expect.poll(() => labels(event, 'Booking')).toEqual([...shared, 'Quote'])
    await expect.poll(() => labels(event, 'When and where')).toEqual(['Time', 'Location'])
    for (const page of [quote, event]) {
      await page.getByText('3055 Walnut Street, Denver, CO 80205', { exact: true }).waitFor()
      const link = page.getByRole('link', { name: 'Invoice Q-1 (opens in a new tab)' })
      await expect.poll(() => link.locator('svg').count()).toBe(1)
    }
  })

  it('link back to the page they name', async () => {
    for (const [path, name] of [
      ['/quotes/quote', 'Quotes'],
      ['/quotes/quote_open/edit', 'Quote'],
      ['/events/event', 'Events'],
    ] as const) {
      const page = await open(path)
      const link = page.getByRole('main').getByRole('link', { name, exact: true })
      await link.waitFor()
      expect(await link.getAttribute('class')).toContain('app-back')
    }
  })
})

describe('the agenda', () => {
  it('counts open tasks in the words of the dashboard', async () => {
    const page = await open('/events?period=2027-04-05')
    await page
      .getByRole('link', { name: /Picnic/ })
      .getByText('1 open task', { exact: true })
      .waitFor()
  })

  it('has an arrow in each row on a phone only', async () => {
    const arrow = (page: Page) => page.getByRole('link', { name: /Picnic/ }).locator('.app-row-arrow')
    const phone = await open('/events?period=2027-04-05', { viewport: { width: 360, height: 800 } })
    await expect.poll(() => arrow(phone).isVisible()).toBe(true)
    const wide = await open('/events?period=2027-04-05')
    await expect.poll(() => arrow(wide).isVisible()).toBe(false)
  })
})

describe('the integrations', () => {
  it('name paths as the documentation does', async () => {
    const page = await open('/settings')
    await page.getByText('/api/quotes/{id}', { exact: true }).first().waitFor()
  })
})

describe('the editor', () => {
  it('ends a cut name with an ellipsis, and has one style for Taxable', async () => {
    const page = await open('/quotes/quote_open/edit')
    await page
      .getByRole('button', { name: /^Add a custom line/ })
      .first()
      .click()
    const field = page.getByRole('textbox', { name: 'Custom line', exact: true })
    await field.fill(LONG)
    const styleOf = (selector: string, name: string) =>
      page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => getComputedStyle(one).${name}))]`,
      )
    expect(await styleOf('.edit-item input', 'textOverflow')).toEqual(['ellipsis'])
    const taxable = '.mantine-Checkbox-label'
    expect(await styleOf(taxable, 'fontSize')).toHaveLength(1)
    expect(await styleOf(taxable, 'fontWeight')).toHaveLength(1)
  })

  it('has no empty row in the box of service charges at 360 px', async () => {
    const page = await open('/quotes/quote_open/edit', { viewport: { width: 360, height: 800 } })
    const [last, search] = [
      page.locator('.edit-pill').last(),
      page
        .getByRole('textbox', { name: 'Service charges' })
        .or(page.getByRole('combobox', { name: 'Service charges' })),
    ]
    const [pill, field] = [await last.boundingBox(), await search.first().boundingBox()]
    expect(field?.y).toBeLessThan((pill?.y ?? 0) + (pill?.height ?? 0))
  })
})

describe('kerning', () => {
  it('is off only for texts of unlimited length', async () => {
    const page = await open('/events/event_open')
    const kerning = (selector: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).fontKerning`,
      )
    for (const selector of ['h1', '.task-text', 'dd']) expect(await kerning(selector)).toBe('none')
    for (const selector of ['body', 'h2', 'nav a', 'header button'])
      expect(await kerning(selector)).toBe('auto')
  })
})
