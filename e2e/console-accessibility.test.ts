import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from './barriers.ts'
import { LOOKS, startConsole } from './console.ts'
import { PAGE_NAMES, pathOf, settle, useEachControl, visit } from './console-pages.ts'
import type { PageName } from './console-pages.ts'

const app = await startConsole()

/** A quote that is out with its lead, and an event with something to do. */
const { rows } = await app.database.pool.query<{ quote: string; event: string }>(
  `SELECT
    (SELECT id FROM quotes WHERE company_id = $1 AND sent_at IS NOT NULL AND booked_at IS NULL AND lost_at IS NULL
       AND deleted_at IS NULL AND id IN (SELECT quote_id FROM line_items WHERE company_id = $1)
     ORDER BY created_at DESC LIMIT 1) AS quote,
    (SELECT event_id FROM tasks WHERE company_id = $1 ORDER BY created_at DESC LIMIT 1) AS event`,
  [app.companyId],
)
const ids = rows[0] ?? { quote: '', event: '' }
const urlOf = (name: PageName) => app.url + pathOf(name, ids)

/** What a control opens over the page. */
const OPENED = '[role="dialog"], [role="menu"], [role="listbox"]'

/** How far the page goes beyond the window to the right. */
const overhang = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe.each(LOOKS)('in the look %s', async (_, look) => {
  const page = await app.open('/', look)

  it.each(PAGE_NAMES)(
    'the page %s has nothing that stands in anybody’s way, and fits the window',
    async (name) => {
      await visit(page, urlOf(name))
      expect(await findBarriers(page)).toEqual([])
      expect(await overhang(page)).toBe(0)
    },
  )

  it('signing in has neither', async () => {
    const other = await app.browser.newPage({ ...look, reducedMotion: 'reduce' })
    await visit(other, app.url)
    expect(await findBarriers(other)).toEqual([])
    expect(await overhang(other)).toBe(0)
  })
})

/** A window of each size and each scheme of colours: what opens on a page is made of the same parts everywhere. */
const TWO_LOOKS = LOOKS.filter(([name]) => name === 'desktop-light' || name === 'phone-dark')

describe.each(TWO_LOOKS)('in the look %s', async (_, look) => {
  const page = await app.open('/', look)

  it.each(PAGE_NAMES)(
    'the menus and dialogs of the page %s stand in nobody’s way',
    async (name) => {
      const found: string[] = []
      await useEachControl(page, urlOf(name), async (control) => {
        // The page itself was looked at before.
        if ((await page.locator(OPENED).count()) === 0) return
        for (const barrier of await findBarriers(page, OPENED)) found.push(`${control.name}: ${barrier}`)
        if ((await overhang(page)) > 0) found.push(`${control.name}: the page is wider than the window`)
      })
      expect(found).toEqual([])
    },
    300_000,
  )
})

describe('by the keyboard alone', async () => {
  const page = await app.open('/')

  /** Elements that are to be reached, marked; of a group of radio buttons the one that the group begins with. */
  const markStops = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll(
      'main a[href], main button, main input, main select, main textarea, main [tabindex="0"]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled
        && element.tabIndex >= 0 && element.closest('[inert]') === null
        && !(element.type === 'radio' && !element.checked))
      .map((element, i) => {
        element.dataset.stop = String(i)
        return element.outerHTML.slice(0, 160)
      })`)

  const focused = () => page.evaluate<string | null>(`document.activeElement.dataset.stop ?? null`)

  it.each(PAGE_NAMES)(
    'everything on the page %s is reached, and one sees where one is',
    async (name) => {
      await visit(page, urlOf(name))
      const stops = await markStops()
      const [reached, unseen] = [new Set<number>(), new Set<string>()]
      // More than there are: those of the header come first.
      for (let i = 0; i < stops.length + 30 && reached.size < stops.length; i++) {
        await page.keyboard.press('Tab')
        const stop = await focused()
        if (stop === null) continue
        reached.add(Number(stop))
        if (reached.size <= SEEN_MAX && !(await isFocusSeen(page))) unseen.add(stops[Number(stop)] ?? '')
      }
      expect(stops.filter((_, i) => !reached.has(i))).toEqual([])
      expect([...unseen]).toEqual([])
    },
    240_000,
  )

  it.each(PAGE_NAMES)('the first stop of the page %s leads past the navigation', async (name) => {
    await visit(page, urlOf(name))
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect.poll(() => hasFocus(skip)).toBe(true)
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await settle(page)
    expect(new URL(page.url()).pathname).toBe(new URL(urlOf(name)).pathname)
  })

  it.each(PAGE_NAMES)(
    'dialogs and menus of the page %s keep the focus, and give it back',
    async (name) => {
      const found: string[] = []
      await useEachControl(page, urlOf(name), async (control) => {
        const modal = page.locator('[role="dialog"][aria-modal="true"]:visible')
        const menu = page.locator('[role="menu"]:visible')
        const isModal = (await modal.count()) > 0
        if (!isModal && (await menu.count()) === 0) return
        const opened = isModal ? modal : menu
        const steps = isModal ? 12 : 0
        for (let i = 0; i < steps; i++) {
          if (!(await holdsFocus(opened)))
            found.push(`${control.name}: the focus is outside after ${i} stops`)
          await page.keyboard.press(i < 9 ? 'Tab' : 'Shift+Tab')
        }
        await page.keyboard.press('Escape')
        await opened
          .waitFor({ state: 'detached', timeout: 15_000 })
          .catch(() => found.push(`${control.name}: stays open`))
        // It comes back when the dialog has gone, not with it.
        await control.locator
          .and(page.locator(':focus'))
          .waitFor({ timeout: 15_000 })
          .catch(() => found.push(`${control.name}: the focus did not come back`))
      })
      expect(found).toEqual([])
    },
    300_000,
  )
})

/** Of long lists the rows are alike. */
const SEEN_MAX = 30

const hasFocus = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'))
const holdsFocus = (locator: Locator) => locator.evaluate((element) => element.matches(':focus-within'))

/** Whether the page looks different around what has the focus than it does without. */
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
