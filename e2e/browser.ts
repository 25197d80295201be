/**
 * A real Chromium, without the parts that show windows: loading a page takes 40 % less processor time. The test files of a
 * worker share it. Pages of the application are used again (pages.ts); other pages have new contexts.
 */
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { pooledContexts, releasePages, takenPages } from './pages.ts'

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
        // A page lives for seconds: optimized code costs more than it saves.
        '--js-flags=--no-opt,--no-maglev',
      ],
    })
  return launched
}

/** Ends the use of pages and contexts that a test opens after the test, and of the others after the file. */
export async function startBrowser(): Promise<Browser> {
  const browser = await launch()
  let before: Open = { contexts: [], pages: new Set() }
  afterAll(() => closeAllExcept(browser, { contexts: [], pages: new Set() }, false))
  // An open page keeps polling, which slows down the following tests.
  beforeEach(() => {
    before = { contexts: browser.contexts(), pages: takenPages() }
  })
  afterEach(async ({ task }) => {
    const errors = task.result?.errors ?? []
    for (const error of errors.slice(0, 1)) error.message += await describePages(browser)
    await closeAllExcept(browser, before, errors.length > 0)
  })
  return browser
}

interface Open {
  contexts: readonly BrowserContext[]
  pages: ReadonlySet<Page>
}

async function closeAllExcept(
  browser: Browser,
  { contexts, pages }: Open,
  hasFailed: boolean,
): Promise<void> {
  await releasePages(pages, hasFailed)
  const kept = new Set([...contexts, ...pooledContexts()])
  const ended = browser.contexts().filter((context) => !kept.has(context))
  await Promise.all(ended.map((context) => context.close()))
}

/** The content of each open page and its last requests, for the message of a failed test. */
async function describePages(browser: Browser): Promise<string> {
  const opened = browser.contexts().flatMap((context) => context.pages())
  const pages = opened.filter((page) => page.url() !== 'about:blank')
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
