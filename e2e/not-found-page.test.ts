import { describe, expect, it } from 'vitest'
import { createDatabase } from '../test/support/database.ts'
import { startServer } from '../test/support/server.ts'
import { findBarriers } from './barriers.ts'
import { startBrowser } from './browser.ts'

const { connection } = await createDatabase()
const server = await startServer(connection)
const browser = await startBrowser()

describe('an unknown URL in a browser', () => {
  it.each(['light', 'dark'] as const)('shows a page without barriers, %s', async (colorScheme) => {
    for (const width of [360, 1280]) {
      const page = await browser.newPage({
        colorScheme,
        viewport: { width, height: 800 },
      })
      const response = await page.goto(`http://127.0.0.1:${server.port}/no/such/page`)
      expect(response?.status()).toBe(404)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Page not found')
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      // The content security policy allows the style.
      const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      expect(ground).toBe(colorScheme === 'dark' ? 'rgb(18, 24, 30)' : 'rgb(245, 247, 249)')
      await page.close()
    }
  })
})
