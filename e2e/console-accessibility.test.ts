import { readFileSync, readdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from './barriers.ts'
import { LOOKS, startConsole } from './console.ts'
import { PAGE_NAMES, findWidePanels, finishAnimations, pageUrlsOf, settle, visit } from './console-pages.ts'
import type { PageName } from './console-pages.ts'

const app = await startConsole()
const urlOf = await pageUrlsOf(app)

/** How many pixels the page is wider than the window. */
const overhang = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** A page that works in one orientation only is a violation that axe finds with `preload`, in all style sheets again for each page. */
it('no style depends on the orientation of the screen', () => {
  const folder = new URL('../dist/browser/assets/', import.meta.url)
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(10)
  const text = sheets.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('')
  expect(text.match(/@media[^{]*orientation/)).toBeNull()
})

const SIZES = LOOKS.filter(([name]) => name.endsWith('-light'))

describe.each(SIZES)('in the size of %s', async (_, look) => {
  const page = await app.open('/', look)

  /** The application follows a change of the color scheme without a reload. */
  async function expectNoBarriersInBothSchemes(shown: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await shown.emulateMedia({ colorScheme })
      await shown.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
      await finishAnimations(shown)
      const rules = colorScheme === 'light' ? 'all' : 'colors'
      expect(await findBarriers(shown, { rules }), colorScheme).toEqual([])
      expect(await overhang(shown), colorScheme).toBe(0)
      expect(await findWidePanels(shown), colorScheme).toEqual([])
    }
  }

  it.each(PAGE_NAMES)('the page %s has no barriers and fits the window, in light and dark', async (name) => {
    await visit(page, urlOf(name))
    await expectNoBarriersInBothSchemes(page)
  })

  it('the sign-in page has no barriers and fits the window, in light and dark', async () => {
    const other = await app.browser.newPage({ ...look, reducedMotion: 'reduce' })
    await visit(other, app.url)
    await expectNoBarriersInBothSchemes(other)
  })
})

interface Stop {
  html: string
  /** Equal for elements that look alike. */
  style: string
}

describe('with the keyboard only', async () => {
  const page = await app.open('/')
  /** Styles that show their focus, on any page */
  const seen = new Set<string>()

  /** Marks the elements that Tab must reach. In a group of radio buttons that is the checked one. */
  const markStops = () =>
    page.evaluate<Stop[]>(`[...document.querySelectorAll(
      'main a[href], main button, main input, main select, main textarea, main [tabindex="0"]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled
        && element.tabIndex >= 0 && element.closest('[inert]') === null
        && !(element.type === 'radio' && !element.checked))
      .map((element, i) => {
        element.dataset.stop = String(i)
        const around = element.parentElement
        return {
          html: element.outerHTML.slice(0, 160),
          style: [element.tagName, element.type, element.getAttribute('class'), around.tagName, around.className].join(' '),
        }
      })`)

  const focused = () => page.evaluate<string | null>(`document.activeElement.dataset.stop ?? null`)

  /** With the link that Tab reaches first. */
  async function skipNavigation(name: PageName): Promise<void> {
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect.poll(() => hasFocus(skip)).toBe(true)
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await settle(page)
    expect(new URL(page.url()).pathname).toBe(new URL(urlOf(name)).pathname)
  }

  // A new quote or record begins in its first field.
  const isFromTheTop = (name: PageName) => !name.endsWith('New')

  it.each(PAGE_NAMES)(
    'the first stop of the page %s skips the navigation, and everything is reached and shows its focus',
    async (name) => {
      await visit(page, urlOf(name))
      if (isFromTheTop(name)) await skipNavigation(name)
      const stops = await markStops()
      const reached = new Set<number>()
      const unseen = new Set<string>()
      // The header has stops, too.
      for (let i = 0; i < stops.length + 30 && reached.size < stops.length; i++) {
        await page.keyboard.press('Tab')
        const index = await focused()
        if (index === null) continue
        reached.add(Number(index))
        const { html, style } = stops[Number(index)] ?? { html: '', style: '' }
        if (seen.has(style)) continue
        if (await isFocusSeen(page)) seen.add(style)
        else unseen.add(html)
      }
      expect(stops.filter((_, i) => !reached.has(i))).toEqual([])
      expect([...unseen]).toEqual([])
    },
    240_000,
  )
})

const hasFocus = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'))

/** Whether the page around the focused element looks different without the focus. */
async function isFocusSeen(page: Page): Promise<boolean> {
  const element = await page.evaluateHandle('document.activeElement')
  const box = await element.asElement()?.boundingBox()
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  if (box === null || box === undefined) return false
  const x = Math.max(0, box.x - 8)
  const y = Math.max(0, box.y - 8)
  const clip = {
    x,
    y,
    width: Math.min(width - x, box.width + 16),
    height: Math.min(height - y, box.height + 16),
  }
  const take = () => page.screenshot({ clip, animations: 'disabled' })
  const withFocus = await take()
  await page.evaluate('globalThis.focusedBefore = document.activeElement; document.activeElement.blur()')
  const without = await take()
  await page.evaluate('globalThis.focusedBefore.focus()')
  return !withFocus.equals(without)
}
