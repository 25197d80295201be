import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from './barriers.ts'
import { TWO_LOOKS, startConsole } from './console.ts'
import { PAGE_NAMES, pageUrlsOf, useEachControl } from './console-pages.ts'

const app = await startConsole()
const urlOf = await pageUrlsOf(app)

/** Dialogs, menus and lists that a control opens. */
const OPENED = '[role="dialog"], [role="menu"], [role="listbox"]'

/** How many pixels the page is wider than the window. */
const overhang = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

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
        for (const barrier of await findBarriers(page, { parts: OPENED }))
          found.push(`${control.name}: ${barrier}`)
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

const holdsFocus = (locator: Locator) => locator.evaluate((element) => element.matches(':focus-within'))
