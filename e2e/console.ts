/** The application in a real browser. Each test file has its own server and database. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { inject } from 'vitest'
import type { Role } from '../src/core/enumerations.ts'
import type { ServerParts } from '../src/server/build-server.ts'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { PASSWORD, plantSession, plantUser } from '../test/support/console.ts'
import { createDatabase } from '../test/support/database.ts'
import type { TestDatabase } from '../test/support/database.ts'
import { startLoggingServer } from '../test/support/request-log.ts'
import { APP_SECRET } from '../test/support/server.ts'
import type { TestServer } from '../test/support/server.ts'
import { importValid } from '../test/support/world.ts'
import { startBrowser } from './browser.ts'
import { takePage } from './pages.ts'

export interface TestConsole {
  url: string
  database: TestDatabase
  server: TestServer
  browser: Browser
  companyId: string
  /** A key of this company */
  apiKey: string
  /** Opens the path as a signed-in user of the company. No other open page shares its browser context. */
  open: (
    path?: string,
    options?: { role?: Role; companyId?: string } & BrowserContextOptions,
  ) => Promise<Page>
}

/** Uses the demo world if no other world is given. */
export async function startConsole(
  world?: {
    lines: string[]
    companyId: string
    apiKey: string
  },
  parts: Partial<ServerParts> = {},
): Promise<TestConsole> {
  const database = await createDatabase(world === undefined ? inject('demoTemplate') : undefined)
  const [demo] = DEMO_KEYS
  const { companyId, apiKey } = world ?? { companyId: demo.company, apiKey: demo.key }
  if (world !== undefined) {
    await importValid(database.connection, world.lines)
    for (const role of ['ADMIN', 'MEMBER'] as const) await plantUser(database, companyId, role)
  }
  let url = 'http://127.0.0.1'
  const server = await startLoggingServer(database.connection, {
    publicUrl: () => url,
    appSecrets: [APP_SECRET],
    webhookAllowPrivate: true,
    ...parts,
  })
  url = `http://127.0.0.1:${server.port}`
  const browser = await startBrowser()
  const open: TestConsole['open'] = async (path = '/', { role = 'ADMIN', ...given } = {}) => {
    const { companyId: company = companyId, ...options } = given
    const page = await takePage(browser, {
      locale: 'en-US',
      timezoneId: 'America/New_York',
      // A click can miss an element that moves.
      reducedMotion: 'reduce',
      ...options,
    })
    const value = await plantSession(database, company, role)
    await page.context().addCookies([{ name: 'eqs_session', value, url, httpOnly: true, sameSite: 'Strict' }])
    await page.goto(url + path)
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
    return page
  }
  return { url, database, server, browser, companyId, apiKey, open }
}

/** Signs in with the form. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
}

/** Sizes and color schemes in which each page is tested. */
export const LOOKS: [string, BrowserContextOptions][] = (['light', 'dark'] as const).flatMap(
  (colorScheme) => [
    [`desktop-${colorScheme}`, { colorScheme, viewport: { width: 1280, height: 900 } }],
    [
      `phone-${colorScheme}`,
      { colorScheme, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ],
  ],
)

/** Each size and each color scheme once. Enough for dialogs and states that have the same parts on every page. */
export const TWO_LOOKS = LOOKS.filter(([name]) => name === 'desktop-light' || name === 'phone-dark')
