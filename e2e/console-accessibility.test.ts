import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from './barriers.ts'
import { LOOKS, TWO_LOOKS, startConsole } from './console.ts'
import {
  PAGE_NAMES,
  findWidePanels,
  finishAnimations,
  pathOf,
  settle,
  useEachControl,
  visit,
} from './console-pages.ts'
import type { PageIds, PageName } from './console-pages.ts'

const app = await startConsole()

/** A sent quote with lines and its contact, an event with tasks, the public form and a service. */
const { rows } = await app.database.pool.query<PageIds>(
  `SELECT q.id AS quote, q.lead_id AS contact,
    (SELECT event_id FROM tasks WHERE company_id = $1 ORDER BY created_at DESC LIMIT 1) AS event,
    (SELECT id FROM forms WHERE company_id = $1 AND slug IS NOT NULL) AS form,
    (SELECT id FROM services WHERE company_id = $1 ORDER BY name_order LIMIT 1) AS service
   FROM quotes q
   WHERE q.company_id = $1 AND q.sent_at IS NOT NULL AND q.booked_at IS NULL AND q.lost_at IS NULL
     AND q.deleted_at IS NULL AND q.id IN (SELECT quote_id FROM line_items WHERE company_id = $1)
   ORDER BY q.created_at DESC LIMIT 1`,
  [app.companyId],
)
const [ids] = rows
if (ids === undefined) throw new Error('the demo has no sent quote')
const urlOf = (name: PageName) => app.url + pathOf(name, ids)

/** Dialogs, menus and lists that a control opens. */
const OPENED = '[role="dialog"], [role="menu"], [role="listbox"]'

/** How many pixels the page is wider than the window. */
const overhang = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

const SIZES = LOOKS.filter(([name]) => name.endsWith('-light'))

describe.each(SIZES)('in the size of %s', async (_, look) => {
  const page = await app.open('/', look)

  /** The application follows a change of the color scheme without a reload. */
  async function expectNoBarriersInBothSchemes(shown: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await shown.emulateMedia({ colorScheme })
      await shown.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
      await finishAnimations(shown)
      expect(await findBarriers(shown), colorScheme).toEqual([])
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

/** Controls of each page that open nothing. They are used in the first look only. */
const idle = Object.fromEntries(PAGE_NAMES.map((name) => [name, new Set<string>()]))

describe.each(TWO_LOOKS)('in the look %s', async (lookName, options) => {
  const page = await app.open('/', options)
  const hasKeyboard = lookName.startsWith('desktop')

  it.each(PAGE_NAMES)(
    'menus and dialogs of the page %s have no barriers, fit the window, and keep and return the focus',
    async (name) => {
      const found: string[] = []
      const opensNothing = new Set<string>()
      let opened = 0
      const look = async (control: { name: string; locator: Locator }) => {
        // The lists of closed fields are in the page, too.
        if ((await page.locator(OPENED).filter({ visible: true }).count()) === 0) {
          opensNothing.add(control.name)
          return
        }
        opened++
        for (const barrier of await findBarriers(page, OPENED)) found.push(`${control.name}: ${barrier}`)
        if ((await overhang(page)) > 0) found.push(`${control.name}: the page is wider than the window`)
        if (hasKeyboard) found.push(...(await findFocusProblems(page, control)))
      }
      await useEachControl(page, urlOf(name), look, idle[name])
      idle[name] = opensNothing
      expect(found).toEqual([])
      expect(opened).toBeGreaterThan(0)
    },
    300_000,
  )
})

/** A modal dialog keeps the focus. After Escape it is back at the control, also for a menu. */
async function findFocusProblems(page: Page, control: { name: string; locator: Locator }): Promise<string[]> {
  const modal = page.locator('[role="dialog"][aria-modal="true"]:visible')
  const menu = page.locator('[role="menu"]:visible')
  const isModal = (await modal.count()) > 0
  if (!isModal && (await menu.count()) === 0) return []
  const found: string[] = []
  const opened = isModal ? modal : menu
  const steps = isModal ? 12 : 0
  for (let i = 0; i < steps; i++) {
    if (!(await holdsFocus(opened))) found.push(`${control.name}: the focus is outside after ${i} steps`)
    await page.keyboard.press(i < 9 ? 'Tab' : 'Shift+Tab')
  }
  await page.keyboard.press('Escape')
  await opened
    .waitFor({ state: 'detached', timeout: 15_000 })
    .catch(() => found.push(`${control.name}: stays open`))
  // The focus returns after the dialog has closed.
  await control.locator
    .and(page.locator(':focus'))
    .waitFor({ timeout: 15_000 })
    .catch(() => found.push(`${control.name}: the focus did not return`))
  return found
}

interface Stop {
  html: string
  /** Equal for elements that look alike. */
  style: string
}

describe('with the keyboard only', async () => {
  const page = await app.open('/')

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
      const [checked, unseen] = [new Set<string>(), new Set<string>()]
      // The header has stops, too.
      for (let i = 0; i < stops.length + 30 && reached.size < stops.length; i++) {
        await page.keyboard.press('Tab')
        const index = await focused()
        if (index === null) continue
        reached.add(Number(index))
        const { html, style } = stops[Number(index)] ?? { html: '', style: '' }
        if (!checked.has(style) && !(await isFocusSeen(page))) unseen.add(html)
        checked.add(style)
      }
      expect(stops.filter((_, i) => !reached.has(i))).toEqual([])
      expect([...unseen]).toEqual([])
    },
    240_000,
  )
})

const hasFocus = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'))
const holdsFocus = (locator: Locator) => locator.evaluate((element) => element.matches(':focus-within'))

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
