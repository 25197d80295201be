import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { createDatabase } from '../test/support/database.ts'
import { startServer } from '../test/support/server.ts'
import { findViolations } from './barriers.ts'
import { startBrowser } from './browser.ts'

const { connection } = await createDatabase(inject('demoTemplate'))
const [{ key: KEY }] = DEMO_KEYS
const server = await startServer(connection, { demoKey: () => KEY })
const URL = `http://127.0.0.1:${server.port}/docs`
const browser = await startBrowser()

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 360].map((width): [string, BrowserContextOptions] => [
    `${colorScheme}, ${width} px`,
    { colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' },
  ]),
)

const [LIGHT, , , DARK_PHONE] = LOOKS

async function openDocs(options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage(options)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(URL)
  await page.getByRole('tab', { name: 'curl' }).first().waitFor()
  return { page, problems }
}

const overhang = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** By its heading: finding a role in this long page takes a second. */
const operation = (page: Page, name: string) =>
  page.locator('article', { has: page.locator('h3').getByText(name, { exact: true }) })

/** Removes operations and objects without any element, by class, that the ones before do not have. */
const removeSimilar = (page: Page) =>
  page.evaluate(`{
    const seen = new Set()
    for (const part of document.querySelectorAll('article, #objects details')) {
      const sorts = [...part.querySelectorAll('*')].map((one) =>
        [one.tagName, one.className, one.parentElement.tagName, one.parentElement.className].join())
      if (sorts.every((sort) => seen.has(sort))) part.remove()
      for (const sort of sorts) seen.add(sort)
    }
  }`)

async function send(page: Page, name: string): Promise<string> {
  const part = operation(page, name)
  await part.getByRole('button', { name: 'Send request' }).click()
  await part.locator('.outcome strong').waitFor()
  return part.locator('.outcome strong').innerText()
}

/** Violations of any impact. */
async function listViolations(page: Page, parts?: string): Promise<string[]> {
  const violations = await findViolations(page, { parts })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

describe.each(LOOKS)('the reference in the look %s', (_, look) => {
  it('follows the color scheme, violates no rule of axe and fits the window', async () => {
    const { page, problems } = await openDocs(look)
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(background).toBe(look.colorScheme === 'dark' ? 'rgb(15, 21, 27)' : 'rgb(255, 255, 255)')
    expect(await overhang(page)).toBe(0)
    // All of them in one look.
    if (look !== LIGHT?.[1]) await removeSimilar(page)
    expect(await listViolations(page)).toEqual([])
    expect(problems).toEqual([])
  }, 180_000)
})

describe.each([LIGHT, DARK_PHONE].filter((look) => look !== undefined))(
  'the reference in the look %s',
  (_, look) => {
    it('violates no rule of axe and fits the window with open objects, responses and errors', async () => {
      const { page, problems } = await openDocs(look)
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
      expect(await send(page, 'Get a staff member')).toBe('Missing: id')
      await operation(page, 'Create a task').getByRole('button', { name: 'Use example values' }).click()
      expect(await send(page, 'Create a task')).toBe('201 Created')
      await operation(page, 'List quotes').getByLabel('limit').fill('0')
      expect(await send(page, 'List quotes')).toBe('400 Bad Request')
      await page.getByRole('tab', { name: 'Python' }).first().click()
      expect(await overhang(page)).toBe(0)
      await removeSimilar(page)
      // The other parts have not changed.
      expect(await listViolations(page, 'form, #objects, .sample')).toEqual([])
      // The browser itself reports the 400.
      expect(problems.filter((problem) => !problem.includes('400 (Bad Request)'))).toEqual([])
    }, 180_000)
  },
)

describe('the reference', () => {
  it('has only the demo key filled in, and sends every request with it', async () => {
    const { page } = await openDocs()
    const filled = `[...document.querySelectorAll('input, select, textarea')].map((one) => one.value).filter(Boolean)`
    expect(await page.evaluate(filled)).toEqual([KEY])
    const names = await page.locator('article h3').allInnerTexts()
    expect(names).toHaveLength(ENDPOINTS.length)
    for (const name of names) {
      const fill = operation(page, name).getByRole('button', { name: 'Use example values' })
      if ((await fill.count()) > 0) await fill.click()
      expect(await send(page, name)).toMatch(/^20[01] /)
      expect(
        await operation(page, name)
          .getByRole('region', { name: `Response: ${name}`, exact: true })
          .innerText(),
      ).toMatch(/"\w/)
    }
  })

  it('sends filters and expansions as they are entered', async () => {
    const { page } = await openDocs()
    const list = operation(page, 'List quotes')
    await list.getByLabel('lead_id').fill('lead_0145')
    await list.getByLabel('created_at[gte]').fill('2026-08-20T00:00:00+02:00')
    await list.getByLabel('expand[]').fill('data.lead,data.booking.events')
    expect(await send(page, 'List quotes')).toBe('200 OK')
    const response = await list
      .getByRole('region', { name: 'Response: List quotes', exact: true })
      .innerText()
    expect(JSON.parse(response)).toMatchObject({
      data: [{ id: 'quote_0242', lead: { id: 'lead_0145' }, booking: { id: 'book_0241' } }],
    })
  })

  it('shows all samples in the chosen language', async () => {
    const { page } = await openDocs()
    const samples = page.locator('.sample:visible')
    expect(await samples.locator('code').allInnerTexts()).toHaveLength(ENDPOINTS.length)
    await page.getByRole('tab', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowRight')
    for (const code of await samples.locator('code').allInnerTexts()) expect(code).toContain('await fetch(')
    await page.keyboard.press('ArrowRight')
    for (const code of await samples.locator('code').allInnerTexts())
      expect(code).toContain('import urllib.request')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Python')
  })

  it('colors a response as the examples, and shows x-cursor when a list has not ended', async () => {
    const { page } = await openDocs()
    const list = operation(page, 'List quotes')
    const cursor = list.locator('.outcome').getByText('x-cursor: not-found', { exact: true })
    await list.getByLabel('starting_after').fill('quote_unknown')
    expect(await send(page, 'List quotes')).toBe('200 OK')
    await cursor.waitFor()
    const shown = list.locator('.result .block')
    expect(await shown.locator('.name').allInnerTexts()).toEqual(['"object"', '"url"', '"hasMore"', '"data"'])
    expect(await shown.locator('.string').allInnerTexts()).toEqual(['"list"', '"/api/quotes"'])
    expect(await shown.locator('.value').allInnerTexts()).toEqual(['false'])
    await list.getByLabel('starting_after').fill('')
    await list.getByLabel('limit').fill('1')
    await list.getByRole('button', { name: 'Send request' }).click()
    await cursor.waitFor({ state: 'detached' })
  })

  it.each([1280, 360])(
    'shows placeholders whole, and anchors right below the header, at %i px',
    async (width) => {
      const { page } = await openDocs({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
      const cut = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('form input[placeholder]')].flatMap((input) => {
      const context = document.createElement('canvas').getContext('2d')
      context.font = getComputedStyle(input, '::placeholder').font
      const padding = getComputedStyle(input)
      const room = input.clientWidth - parseFloat(padding.paddingLeft) - parseFloat(padding.paddingRight)
      return context.measureText(input.placeholder).width > room ? [input.name + ': ' + input.placeholder] : []
    })`)
      expect(cut).toEqual([])
      for (const id of ['syncing', 'getQuote', 'object-Quote']) {
        await page.goto(`${URL}#${id}`)
        const gap = () =>
          page.evaluate<number>(`Math.round(document.getElementById('${id}').getBoundingClientRect().top
          - (getComputedStyle(document.querySelector('header')).position === 'sticky' ? 56 : 0))`)
        await expect.poll(gap).toBe(16)
      }
    },
  )

  it('folds the contents on a phone, and again after a link in them', async () => {
    const { page } = await openDocs({ viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' })
    const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Syncing' })
    expect(await link.isVisible()).toBe(false)
    await page.getByText('Contents', { exact: true }).click()
    await link.click()
    expect(await link.isVisible()).toBe(false)
    await expect
      .poll(() => page.evaluate<number>(`document.getElementById('syncing').getBoundingClientRect().top`))
      .toBeCloseTo(16, 0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => link.isVisible()).toBe(true)
    expect(await page.getByText('Contents', { exact: true }).isVisible()).toBe(false)
  })

  it('opens a linked object', async () => {
    const { page } = await openDocs()
    await operation(page, 'Get a quote').getByRole('link', { name: 'Quote', exact: true }).first().click()
    await expect
      .poll(() => page.locator('#object-Quote').evaluate((element) => element.matches('[open]')))
      .toBe(true)
  })

  it('works without JavaScript: every sample and response is on the page', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false })
    await page.goto(URL)
    expect(await page.locator('.sample:visible').count()).toBe(3 * ENDPOINTS.length)
  })
})
