import type { Page, Response } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startConsole } from './console.ts'
import { settle } from './console-pages.ts'

const app = await startConsole()
const { host } = new URL(app.url)

/** An unused page whose responses are collected. */
async function openWatched(): Promise<{ page: Page; responses: Response[] }> {
  const page = await (await app.browser.newContext()).newPage()
  const responses: Response[] = []
  page.on('response', (response) => responses.push(response))
  return { page, responses }
}

async function expectInter(page: Page, responses: readonly Response[]): Promise<void> {
  const loaded = () =>
    page.evaluate<string[]>(`[...document.fonts].filter(({ status }) => status === 'loaded')
      .map(({ family, display }) => family + ' ' + display)`)
  await expect.poll(loaded).toContain('Inter swap')
  const first = await page.evaluate<string>(`getComputedStyle(document.querySelector('h1')).fontFamily`)
  expect(first).toMatch(/^Inter,/)
  const fonts = responses.filter((response) => response.request().resourceType() === 'font')
  expect(fonts.length).toBeGreaterThan(0)
  for (const font of fonts) {
    expect(font.url()).toMatch(new RegExp(`^${app.url}/fonts/inter-[a-z-]+-[0-9a-f]{12}\\.woff2$`))
    expect(font.status()).toBe(200)
    expect(font.headers()).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }
  expect([...new Set(responses.map((response) => new URL(response.url()).host))]).toEqual([host])
}

describe('Inter comes from our own host', () => {
  it('on the sign-in page, preloaded once', async () => {
    const { page, responses } = await openWatched()
    await page.goto(app.url)
    await settle(page)
    await expectInter(page, responses)
    const urls = responses.map((response) => response.url()).filter((url) => url.endsWith('.woff2'))
    expect(urls).toHaveLength(new Set(urls).size)
  })

  it('on the pages of the console, with digits of one width in amounts', async () => {
    const page = await app.open('/account')
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    await page.goto(`${app.url}/quotes`)
    await settle(page)
    await expectInter(page, responses)
    const widths = await page.evaluate<number[]>(`[...'0123456789'].map((digit) => {
      const place = document.querySelector('.app-figure')
      place.textContent = digit.repeat(20)
      const range = document.createRange()
      range.selectNodeContents(place)
      return Math.round(range.getBoundingClientRect().width)
    })`)
    expect(new Set(widths).size).toBe(1)
  })

  it('on the reference page, preloaded once', async () => {
    const { page, responses } = await openWatched()
    await page.goto(`${app.url}/docs`)
    await expectInter(page, responses)
    const urls = responses.map((response) => response.url()).filter((url) => url.endsWith('.woff2'))
    expect(urls).toHaveLength(new Set(urls).size)
  })

  it('on the invoice page, and on the page for a link with more after the token', async () => {
    const { invoices } = (await (
      await app.open('/account')
    ).evaluate(`fetch('console/dashboard/overdue-invoices').then((response) => response.json())`)) as {
      invoices: { url: string }[]
    }
    for (const path of [invoices[0]?.url ?? '', `${invoices[0]?.url}/more/of/it`]) {
      const { page, responses } = await openWatched()
      await page.goto(path)
      await expectInter(page, responses)
    }
  })
})
