/** A real Chromium for a test file. */
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeEach } from 'vitest'

export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Root has no sandbox; the pages are our own. The rest keeps the browser from calling its maker.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  afterAll(() => browser.close())
  // Pages that nobody looks at any more would go on asking for news, and take time from the tests that follow.
  let kept: BrowserContext[] = []
  beforeEach(() => {
    kept = browser.contexts()
  })
  afterEach(async ({ task }) => {
    // With the failure itself, which is what is read of a long run.
    for (const error of task.result?.errors?.slice(0, 1) ?? []) error.message += await describePages(browser)
    const opened = browser.contexts().filter((context) => !kept.includes(context))
    await Promise.all(opened.map((context) => context.close()))
  })
  return browser
}

/** What was to be seen when a test failed, and what had been asked for. */
async function describePages(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages())
  const described = pages.map(async (page) => {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
    const calls = await page
      .evaluate<string>(
        `performance.getEntriesByType('resource').filter(({ name }) => !name.includes('/assets/')).slice(-20)
          .map(({ responseStatus, name }) => responseStatus + ' ' + name).join('\\n')`,
      )
      .catch(String)
    return ['', page.url(), shown, calls].join('\n')
  })
  return (await Promise.all(described)).join('\n')
}
