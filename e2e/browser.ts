/** A real Chromium for a test file. */
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'

export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Root has no sandbox; the pages are our own. The rest keeps the browser from calling its maker.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  afterAll(() => browser.close())
  return browser
}
