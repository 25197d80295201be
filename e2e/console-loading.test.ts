/** While a page loads it shows placeholders in the shape of its content. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from './barriers.ts'
import { startConsole } from './console.ts'
import { settle } from './console-pages.ts'
import { styleOf } from './styles.ts'

const app = await startConsole()

const { rows } = await app.database.pool.query<{ id: string }>(
  `SELECT id FROM quotes WHERE company_id = $1 AND sent_at IS NOT NULL AND booked_at IS NULL AND lost_at IS NULL
     AND deleted_at IS NULL AND id IN (SELECT quote_id FROM line_items WHERE company_id = $1)
     AND id IN (SELECT quote_id FROM service_days WHERE company_id = $1)
   ORDER BY created_at DESC LIMIT 1`,
  [app.companyId],
)
const quoteId = rows[0]?.id ?? ''

interface LoadingPage {
  path: string
  call: string
  label: string
  /** Selectors of parts that do not move when the content arrives. */
  places: string[]
}

const PAGES: Record<string, LoadingPage> = {
  dashboard: {
    path: '/',
    call: '**/console/dashboard',
    label: 'Loading',
    places: [
      'h1',
      '.dashboard-states',
      '.dashboard-state-meaning',
      '.dashboard-chart',
      '.dashboard-upcoming',
      '.dashboard-lists',
    ],
  },
  quotes: {
    path: '/quotes',
    call: '**/console/quotes',
    label: 'Loading quotes',
    places: ['h1', '.app-panel'],
  },
  quote: {
    path: `/quotes/${quoteId}`,
    call: `**/console/quotes/${quoteId}`,
    label: 'Loading quote',
    places: ['h1', '.app-back', '.quote-summary', '.quote-page', '.quote-page .is-first'],
  },
  editor: {
    path: `/quotes/${quoteId}/edit`,
    call: `**/console/quotes/${quoteId}/edit`,
    label: 'Loading quote',
    places: ['h1', '.app-back', '.edit-layout', '.edit-price', '.edit-line'],
  },
}

/** Opens a page whose content waits until it is let go. */
async function openHeld({ path, call }: LoadingPage, options: Parameters<typeof app.open>[1] = {}) {
  const page = await app.open('/account', options)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(call, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(app.url + path)
  return { page, release }
}

type Places = [selector: string, numbers: number[]][]

/** Left, top and width of the first match of each selector. The width of a title may change. */
const placesOf = (page: Page, selectors: readonly string[]): Promise<Places> =>
  Promise.all(
    selectors.map(async (selector): Promise<Places[number]> => {
      const box = await page.locator(selector).first().boundingBox()
      if (box === null) throw new Error(`${selector} is not on the page`)
      return [selector, [box.x, box.y, ...(selector === 'h1' ? [] : [box.width])]]
    }),
  )

/** How many pixels each part has moved or changed its width. */
const moves = (before: Places, after: Places): [selector: string, pixels: number][] =>
  before.map(([selector, numbers], i) => [
    selector,
    Math.max(...numbers.map((number, n) => Math.abs(number - (after[i]?.[1][n] ?? Number.NaN)))),
  ])

describe.each(Object.entries(PAGES))('the page %s while it loads', (_, loading) => {
  it.each([
    [360, 'dark'],
    [1440, 'light'],
  ] as const)(
    'has its parts in their final place, no barriers and no focusable elements, at %i pixels in %s',
    async (width, colorScheme) => {
      const { page, release } = await openHeld(loading, { colorScheme, viewport: { width, height: 900 } })
      const region = page.getByRole('status', { name: loading.label, exact: true })
      await region.waitFor()
      expect(await region.locator('.mantine-Skeleton-root').count()).toBeGreaterThan(8)
      expect(await findBarriers(page)).toEqual([])
      expect(await region.locator('a, button, input, [tabindex]').count()).toBe(0)
      // On a phone the buttons of a quote need one row more or less.
      const places = width === 360 ? loading.places.slice(0, 2) : loading.places
      const before = await placesOf(page, places)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      release()
      await settle(page)
      for (const [place, distance] of moves(before, await placesOf(page, places)))
        expect(distance, place).toBeLessThanOrEqual(2)
    },
  )
})

describe('the start', () => {
  it.each(Object.entries(PAGES))('has the code of the page %s as soon as the shell', async (_, { path }) => {
    const page = await app.open('/account')
    await page.addInitScript(`new MutationObserver(() => {
      globalThis.codeWasMissing ||= document.querySelector('main [aria-label="Loading the page"]') !== null
    }).observe(document, { childList: true, subtree: true })`)
    await page.goto(app.url + path)
    await settle(page)
    expect(await page.evaluate('globalThis.codeWasMissing')).toBe(false)
  })
})

describe('placeholders', () => {
  it.each([
    ['move', 'no-preference'],
    ['stand still', 'reduce'],
  ] as const)('%s with the motion preference %s', async (how, reducedMotion) => {
    const { page, release } = await openHeld(PAGES['quotes'] as LoadingPage, { reducedMotion })
    const region = page.getByRole('status', { name: 'Loading quotes' })
    const placeholder = region.locator('.mantine-Skeleton-root').first()
    await placeholder.waitFor()
    const animation = await styleOf(placeholder, 'animation-name', '::after')
    expect(animation === 'none').toBe(how === 'stand still')
    release()
  })
})
