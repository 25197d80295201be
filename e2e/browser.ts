/**
 * A real Chromium, without the parts that show windows: loading a page takes 40 % less processor time. The test files of a
 * worker share it; each test has its own browser contexts.
 */
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeEach } from 'vitest'

let launched: Browser | undefined

async function launch(): Promise<Browser> {
  if (launched?.isConnected() !== true)
    launched = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
      // Root has no sandbox, and all pages are ours. The other arguments stop the browser's own network requests.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    })
  return launched
}

/** Closes the contexts that a test opens after the test, and the others after the file. */
export async function startBrowser(): Promise<Browser> {
  const browser = await launch()
  afterAll(() => closeContexts(browser.contexts()))
  // An open page keeps polling, which slows down the following tests.
  let kept: BrowserContext[] = []
  beforeEach(() => {
    kept = browser.contexts()
  })
  afterEach(async ({ task }) => {
    for (const error of task.result?.errors?.slice(0, 1) ?? []) error.message += await describePages(browser)
    await closeContexts(browser.contexts().filter((context) => !kept.includes(context)))
  })
  return browser
}

const closeContexts = (contexts: readonly BrowserContext[]) =>
  Promise.all(contexts.map((context) => context.close()))

/** The content of each open page and its last requests, for the message of a failed test. */
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
