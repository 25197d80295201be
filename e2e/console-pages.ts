/** Every page of the application, for tests that cover all of them. */
import type { Locator, Page } from 'playwright-core'
import { CONSOLE_PAGES } from '../src/core/console-pages.ts'
import { RECORD_PAGES } from '../src/core/record-kinds.ts'
import type { TestConsole } from './console.ts'

/** The pages of all kinds of records are alike, except for the panels of contacts and the lines of packages. */
const PAGES = {
  ...CONSOLE_PAGES,
  contacts: RECORD_PAGES.contacts,
  contact: `${RECORD_PAGES.contacts}/:id`,
  service: `${RECORD_PAGES.services}/:id`,
  packageNew: `${RECORD_PAGES.packages}/new`,
} as const

export type PageName = keyof typeof PAGES

/** The records that the pages are opened with. */
export type PageIds = Record<'quote' | 'event' | 'form' | 'contact' | 'service', string>

/** The kind of id in the path of each page. A missing page is a compile error. */
const ID_OF: Record<PageName, keyof PageIds | null> = {
  dashboard: null,
  quotes: null,
  quote: 'quote',
  quoteNew: null,
  quoteEdit: 'quote',
  events: null,
  event: 'event',
  forms: null,
  form: 'form',
  settings: null,
  company: null,
  people: null,
  mail: null,
  webhooks: null,
  requestLog: null,
  audit: null,
  account: null,
  contacts: null,
  contact: 'contact',
  service: 'service',
  packageNew: null,
}

export const PAGE_NAMES = Object.keys(ID_OF) as PageName[]

export function pathOf(name: PageName, ids: PageIds): string {
  const kind = ID_OF[name]
  return kind === null ? PAGES[name] : PAGES[name].replace(':id', encodeURIComponent(ids[kind]))
}

/** Pages with much on them: a sent quote with lines and its contact, an event with tasks, the public form and a service. */
export async function pageUrlsOf(app: TestConsole): Promise<(name: PageName) => string> {
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
  return (name) => app.url + pathOf(name, ids)
}

/** Whether each record has such a page. */
export const isOfRecord = (name: PageName): boolean => ID_OF[name] !== null

/** Waits until a page has its heading and has loaded its data. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[aria-busy="true"], .mantine-Loader-root').first().waitFor({ state: 'detached' })
}

export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settle(page)
}

/** Waits until changes are painted and animations have ended, except those that repeat forever. */
export async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
    const finite = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < 5000)
    await Promise.allSettled(finite.map(({ finished }) => finished))
  })()`)
}

/** Headings of panels that reach beyond their column, and cover the next one. */
export function findWidePanels(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`{
    const columnOf = ({ parentElement }) =>
      getComputedStyle(parentElement).display === 'contents' ? columnOf(parentElement) : parentElement
    const endOf = (element) => element.getBoundingClientRect().right
    const wide = [...document.querySelectorAll('.app-panel')].filter((panel) => endOf(panel) > endOf(columnOf(panel)) + 1)
    wide.map((panel) => panel.querySelector('h2')?.textContent ?? panel.className)
  }`)
}

/** Elements that open or change something, in document order, without those that end the sessions of other tests. */
function controlsOf(page: Page): Locator {
  return page
    .locator('button:visible:enabled, [aria-haspopup]:visible, [role="tab"]:visible')
    .filter({ hasNotText: /sign out|end session/i })
}

const OPENED =
  '[role="dialog"]:visible, [role="menu"]:visible, [role="listbox"]:visible, header [aria-expanded="true"]'

/**
 * Uses each control of a page, and only the first of those in similar rows. The page is restored after each one.
 * `left` has names of controls to leave alone.
 */
export async function useEachControl(
  page: Page,
  url: string,
  look: (control: { name: string; locator: Locator }) => Promise<void>,
  left: ReadonlySet<string> = new Set(),
): Promise<void> {
  await visit(page, url)
  let controls = await describeControls(page)
  const used = new Set<string>()
  for (let i = 0; i < controls.length; i++) {
    const { name } = controls[i] ?? { name: '' }
    // `Remove: Call the caterer`, `Reorder Late bar`, `Add discount to Late bar`: the rest names the row.
    const alike = name
      .replace(/[:“"].*|\d+/gs, '')
      .replace(/^(More for|Reorder|Remove|Change|Add .* to) .*/s, '$1')
    if (used.has(alike) || left.has(name)) continue
    used.add(alike)
    const locator = controlsOf(page).nth(i)
    await locator.click({ timeout: 15_000 })
    await finishAnimations(page)
    await look({ name, locator })
    await page.keyboard.press('Escape')
    await finishAnimations(page)
    const isOpen = (await page.locator(OPENED).count()) > 0
    if (!isOpen && page.url() === url && isSame(await describeControls(page), controls)) continue
    await visit(page, url)
    controls = await describeControls(page)
  }
}

interface Control {
  name: string
  text: string | null
}

/** In one call, since a page can have hundreds of controls. */
function describeControls(page: Page): Promise<Control[]> {
  return controlsOf(page).evaluateAll((all) =>
    all.map((element) => {
      const { labels } = element as unknown as { labels?: { textContent: string }[] | null }
      const { textContent: text } = element
      return { name: element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? text ?? '', text }
    }),
  )
}

const isSame = (some: Control[], others: Control[]) =>
  some.length === others.length && some.every(({ text }, i) => text === others[i]?.text)
