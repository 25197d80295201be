/** Rows that are links look like links, and work like one everywhere. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startConsole } from './console.ts'
import { settle } from './console-pages.ts'
import { styleOf } from './styles.ts'

const app = await startConsole()

const accentOf = (page: Page) =>
  page.evaluate<string>(`(() => {
    const probe = document.createElement('span')
    probe.style.color = 'var(--app-accent-text)'
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })()`)

interface Rows {
  path: string
  row: (page: Page) => Locator
  /** A part of the row away from its name. */
  away: (row: Locator) => Locator
  /** The linked page. */
  target: RegExp
}

const PLACES: Record<string, Rows> = {
  'the table of quotes': {
    path: '/quotes',
    row: (page) => page.locator('.quote-table tbody tr').nth(2),
    away: (row) => row.locator('td').nth(5),
    target: /\/quotes\/[^/]+$/,
  },
  'upcoming events': {
    path: '/',
    row: (page) => page.getByRole('region', { name: 'Upcoming events' }).locator('li .app-row').nth(1),
    away: (row) => row.locator('.dashboard-row-below').last(),
    target: /\/events\/[^/]+$/,
  },
  'overdue tasks': {
    path: '/',
    row: (page) => page.getByRole('region', { name: 'Overdue tasks' }).locator('li .app-row').nth(1),
    away: (row) => row.locator('.dashboard-row-end'),
    target: /\/events\/[^/]+$/,
  },
  'quotes by state': {
    path: '/',
    row: (page) => page.locator('.dashboard-states .app-row').nth(1),
    away: (row) => row.locator('.dashboard-state-meaning'),
    target: /\/quotes\?state=sent$/,
  },
}

describe.each(Object.entries(PLACES))('a row of %s', async (name, { path, row, away, target }) => {
  const page = await app.open(path)
  await settle(page)

  it('has a name in the color of links, and reacts to the pointer everywhere', async () => {
    const link = row(page).locator('.app-row-name').first()
    expect(await styleOf(link, 'color')).toBe(await accentOf(page))
    expect(await styleOf(link, 'text-decoration-line')).toBe('none')
    const plain = await styleOf(row(page), 'background-color')
    // The link covers the row.
    await away(row(page)).hover({ force: true })
    expect(await styleOf(row(page), 'cursor')).toBe('pointer')
    await expect.poll(() => styleOf(link, 'text-decoration-line')).toBe('underline')
    await expect.poll(() => styleOf(row(page), 'background-color')).not.toBe(plain)
    if (name !== 'quotes by state') await row(page).locator('.app-row-arrow svg').waitFor()
  })

  it('shows the keyboard focus', async () => {
    // Focus from a script shows a ring only after a key.
    await page.keyboard.press('Shift')
    await row(page).locator('xpath=descendant-or-self::a').first().focus()
    expect(await styleOf(row(page), 'outline-style')).toBe('solid')
    const link = row(page).locator('.app-row-name').first()
    expect(await styleOf(link, 'text-decoration-line')).toBe('underline')
  })

  it('opens by a click anywhere, and in a new tab with the middle button or Control', async () => {
    await away(row(page)).scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await away(row(page)).boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    const at = [x + width / 2, y + height / 2] as const
    for (const open of [
      () => page.mouse.click(...at, { button: 'middle' }),
      async () => {
        await page.keyboard.down('Control')
        await page.mouse.click(...at)
        await page.keyboard.up('Control')
      },
    ]) {
      const opening = page.context().waitForEvent('page')
      await open()
      const tab = await opening
      await tab.waitForURL(target)
      await tab.close()
    }
    await page.mouse.click(...at)
    await page.waitForURL(target)
  })
})

describe('a card of the table on a phone', () => {
  it('is one link with an arrow', async () => {
    const page = await app.open('/quotes', { viewport: { width: 360, height: 800 } })
    await settle(page)
    const card = page.locator('.quote-cards li').nth(1)
    expect(await styleOf(card.locator('.app-row-name'), 'color')).toBe(await accentOf(page))
    await card.locator('.app-row-arrow').waitFor()
    const box = await card.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 30, (box?.y ?? 0) + (box?.height ?? 0) - 8)
    await page.waitForURL(/\/quotes\/[^/]+$/)
  })
})
