/** The application in a real browser, on a server and a database of its own. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../src/core/enumerations.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { fillWithDemo } from '../src/world/demo/fill-with-demo.ts'
import { PASSWORD, emailOf, plantUser } from '../test/support/console.ts'
import { createDatabase } from '../test/support/database.ts'
import type { TestDatabase } from '../test/support/database.ts'
import { startLoggingServer } from '../test/support/request-log.ts'
import type { TestServer } from '../test/support/server.ts'
import { importValid } from '../test/support/world.ts'
import { startBrowser } from './browser.ts'

export interface TestConsole {
  url: string
  database: TestDatabase
  server: TestServer
  browser: Browser
  companyId: string
  /** Of that company. */
  apiKey: string
  /** A browser of its own in which the user is signed in, at the path. */
  open: (path?: string, options?: { role?: Role } & BrowserContextOptions) => Promise<Page>
}

/** With the demo world, or with these lines of a world and the company in them. */
export async function startConsole(world?: {
  lines: string[]
  companyId: string
  apiKey: string
}): Promise<TestConsole> {
  const database = await createDatabase()
  if (world === undefined) await fillWithDemo(database.connection)
  else await importValid(database.connection, world.lines)
  const [demo] = DEMO_KEYS
  const { companyId, apiKey } = world ?? { companyId: demo.company, apiKey: demo.key }
  for (const role of ['ADMIN', 'MEMBER'] as const) await plantUser(database, companyId, role)
  let url = 'http://127.0.0.1'
  const server = await startLoggingServer(database.connection, { publicUrl: () => url })
  url = `http://127.0.0.1:${server.port}`
  const browser = await startBrowser()
  const open: TestConsole['open'] = async (path = '/', { role = 'ADMIN', ...options } = {}) => {
    const context = await browser.newContext({
      locale: 'en-US',
      timezoneId: 'America/New_York',
      // What moves while it is clicked on may be missed; people are slower than a dialog comes.
      reducedMotion: 'reduce',
      ...options,
    })
    // The form itself has tests of its own.
    const answer = await context.request.post(`${url}/console/session`, {
      data: { email: emailOf(role, companyId), password: PASSWORD },
    })
    if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}`)
    const page = await context.newPage()
    await page.goto(url + path)
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
    return page
  }
  return { url, database, server, browser, companyId, apiKey, open }
}

/** Through the form, as people do. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
}

/** Every page is looked at in these: name of the file and what the browser is. */
export const LOOKS: [string, BrowserContextOptions][] = (['light', 'dark'] as const).flatMap(
  (colorScheme) => [
    [`desktop-${colorScheme}`, { colorScheme, viewport: { width: 1280, height: 900 } }],
    [
      `phone-${colorScheme}`,
      { colorScheme, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ],
  ],
)
