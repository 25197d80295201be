/**
 * Pages of the application for tests. A new renderer process doubles the processor time of loading a page, so tests use
 * the pages of earlier tests again. Everything that a test can change is restored, or the page is closed.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

interface Lease {
  options: BrowserContextOptions
  context: BrowserContext
  page: Page
  session: CDPSession
  /** False after a change that cannot be undone. */
  isReusable: boolean
}

const MAX_IDLE = 8

const idle: Lease[] = []
const leases = new Set<Lease>()

/** Contexts whose pages this file gives out. */
export const pooledContexts = (): BrowserContext[] => [...idle, ...leases].map(({ context }) => context)

/** An empty page in a context with these options, for one test or file. */
export async function takePage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const index = idle.findIndex((lease) => isDeepStrictEqual(lease.options, options))
  const found = index === -1 ? undefined : idle.splice(index, 1)[0]
  const lease = found ?? (await createLease(browser, options))
  leases.add(lease)
  return lease.page
}

async function createLease(browser: Browser, options: BrowserContextOptions): Promise<Lease> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const lease = { options, context, page, session, isReusable: true }
  const onChange = () => {
    lease.isReusable = false
  }
  watchCalls(page, ['addInitScript', 'exposeFunction', 'exposeBinding', 'emulateMedia'], onChange)
  watchCalls(context, ['addInitScript', 'exposeFunction', 'exposeBinding', 'route', 'on', 'once'], onChange)
  watchCalls(page.clock, ['install', 'setFixedTime', 'setSystemTime'], onChange)
  return lease
}

function watchCalls<Target extends object>(
  target: Target,
  names: (keyof Target & string)[],
  onCall: () => void,
): void {
  for (const name of names) {
    const method: unknown = Reflect.get(target, name)
    if (typeof method !== 'function') throw new Error(`${name} is not a method`)
    Reflect.set(target, name, (...given: unknown[]): unknown => {
      onCall()
      return Reflect.apply(method, target, given)
    })
  }
}

export const takenPages = (): ReadonlySet<Page> => new Set([...leases].map(({ page }) => page))

/** Ends the use of all pages except these. After a failure no page is used again. */
export async function releasePages(except: ReadonlySet<Page>, hasFailed: boolean): Promise<void> {
  const ended = [...leases].filter(({ page }) => !except.has(page))
  await Promise.all(
    ended.map(async (lease) => {
      leases.delete(lease)
      const isReset = !hasFailed && lease.isReusable && (await reset(lease).catch(() => false))
      if (isReset) idle.push(lease)
      else await lease.context.close()
    }),
  )
  while (idle.length > MAX_IDLE) await idle.shift()?.context.close()
}

const EVENTS = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'response',
] as const

/** Restores the state of a new page. The application keeps the color scheme in the browser, and a cookie. */
async function reset({ options, context, page, session }: Lease): Promise<boolean> {
  if (page.isClosed()) return false
  for (const event of EVENTS) page.removeAllListeners(event)
  const others = context.pages().filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await page.goto('about:blank', { timeout: 10_000 })
  const size = options.viewport ?? { width: 1280, height: 720 }
  const now = page.viewportSize()
  if (now?.width !== size.width || now.height !== size.height) await page.setViewportSize(size)
  // The pointer must not hover over anything on the next page.
  await page.mouse.move(-1, -1)
  await session.send('Page.resetNavigationHistory')
  return true
}
