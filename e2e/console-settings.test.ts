import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { newId } from '../src/core/ids.ts'
import { insert, insertKey } from '../test/support/records.ts'
import { expectNoBarriers } from './barriers.ts'
import { TWO_LOOKS, startConsole } from './console.ts'
import { finishAnimations } from './console-pages.ts'

const run = promisify(execFile)
const app = await startConsole()
const { companyId, server, database } = app

/** Creates a key on the page and returns the displayed texts. */
async function createKey(page: Page, name: string): Promise<{ key: string; curl: string; dialog: Locator }> {
  await page.locator('main').getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await dialog.getByText('Copy it now.').waitFor()
  const [key = '', curl = ''] = await dialog.locator('pre').allTextContents()
  return { key, curl, dialog }
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
/** Whether some of the text is hidden. */
const isCut = (element: Locator) =>
  element.evaluate(
    (shown) => shown.scrollWidth > shown.clientWidth || shown.scrollHeight > shown.clientHeight,
  )

const statusOf = async (key: string) => (await server.get('/api/quotes?limit=1', key)).status
const becomes = async (key: string, status: number) => {
  await expect.poll(() => statusOf(key)).toBe(status)
}

/** Refreshes the log until a row matches. */
async function findInLog(page: Page, text: RegExp): Promise<string> {
  const row = page.getByRole('row').filter({ hasText: text }).first()
  const refresh = async () => {
    const loaded = page.waitForResponse(/console\/request-log/)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await loaded
    return row.count()
  }
  await expect.poll(refresh, { interval: 200 }).toBe(1)
  return row.innerText()
}

describe('a key', () => {
  it('works in a real request, appears in the log, and is rejected after it is revoked', async () => {
    const page = await app.open('/settings')
    const context = page.context()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { key, curl, dialog } = await createKey(page, 'Web shop')
    expect(key).toMatch(/^eqs_[0-9A-Za-z]{40}$/)
    for (const [button, text] of [
      ['Copy API key', key],
      ['Copy command', curl],
    ] as const) {
      await dialog.getByRole('button', { name: button }).click()
      await dialog.getByRole('button', { name: 'Copied' }).first().waitFor()
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(text)
    }
    // The command works in a shell.
    expect(curl).toBe(`curl -H 'x-api-key: ${key}' '${app.url}/api/quotes?limit=2'`)
    const { stdout } = await run('sh', ['-c', curl])
    expect((JSON.parse(stdout) as { data: object[] }).data).toHaveLength(2)
    await dialog.getByRole('button', { name: 'I have saved the API key' }).click()
    await dialog.waitFor({ state: 'hidden' })
    // It is shown once.
    expect(await page.content()).not.toContain(key)
    await page.reload()
    const row = page.getByRole('row', { name: /Web shop/ })
    await row.waitFor()
    expect(await page.content()).not.toContain(key)
    await expect.poll(() => row.innerText()).toContain(`${key.slice(0, 8)}…`)

    await server.get('/api/quotes?limit=none', key, { 'x-request-id': 'the-failed-one' })
    await row.getByRole('link', { name: 'Requests with Web shop' }).click()
    expect(await findInLog(page, /limit=none/)).toMatch(
      /400 Bad request[\s\S]*Web shop[\s\S]*ms[\s\S]*the-failed-one/,
    )
    expect(await findInLog(page, /limit=2/)).toMatch(/200 OK/)

    await page.goto(`${app.url}/settings`)
    await row.getByRole('button', { name: 'Revoke Web shop' }).click()
    const confirm = page.getByRole('dialog')
    await confirm.getByText('Revoke “Web shop”?').waitFor()
    await expect.poll(() => confirm.innerText()).toMatch(/fail with status 401\s+within a second/)
    await confirm.getByRole('button', { name: 'Cancel' }).click()
    await confirm.waitFor({ state: 'hidden' })
    expect(await statusOf(key)).toBe(200)
    await row.getByRole('button', { name: 'Revoke Web shop' }).click()
    await confirm.getByRole('button', { name: 'Revoke API key' }).click()
    await row.waitFor({ state: 'detached' })
    await becomes(key, 401)
    await confirm.waitFor({ state: 'hidden' })
    await page.getByRole('switch', { name: /Show revoked API keys/ }).click()
    await expect.poll(() => row.innerText()).toMatch(/Revoked/)
    expect(await row.getByRole('button').count()).toBe(0)
    await row.getByRole('link', { name: 'Requests with Web shop' }).click()
    expect(await findInLog(page, /401/)).toMatch(/401 Unauthorized[\s\S]*This API key was revoked/)
  })

  it('stays visible until the button confirms that it is saved', async () => {
    const page = await app.open('/settings')
    const { key, dialog } = await createKey(page, 'Kept in sight')
    await expect.poll(() => focused(page)).toBe('Copy API key')
    // Nothing covers its focus ring.
    const title = await dialog.locator('.mantine-Modal-header').boundingBox()
    const button = await dialog.getByRole('button', { name: 'Copy API key' }).boundingBox()
    expect((button?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0)).toBeGreaterThanOrEqual(4)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await finishAnimations(page)
    await expect.poll(() => dialog.locator('pre').first().textContent()).toBe(key)
    await expect
      .poll(() => dialog.getByRole('button').allTextContents())
      .toEqual(['Copy API key', 'Copy command', 'I have saved the API key'])
    await dialog.getByRole('button', { name: 'I have saved the API key' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('is created once, and its dialog cannot be closed before it is shown, even with slow timers', async () => {
    const page = await app.open('/settings', { reducedMotion: 'no-preference' })
    let send = (): void => undefined
    const held = new Promise<void>((resolve) => (send = resolve))
    let asked = 0
    await page.route('**/console/settings/keys', async (route) => {
      asked += 1
      await held
      await route.continue()
    })
    await page.locator('main').getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Slow to come')
    await page.clock.install()
    await page.evaluate(
      '{ const start = setTimeout; window.setTimeout = (run, ms = 0, ...given) => start(run, ms + 500, ...given) }',
    )
    for (const key of ['Enter', 'Enter', 'Escape']) await page.keyboard.press(key)
    // Longer than a dialog takes to fade out.
    await page.clock.fastForward(1_500)
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    send()
    await dialog.getByText('Copy it now.').waitFor()
    expect(asked).toBe(1)
  })

  it('can have a long name, and revoking it moves the focus to the heading', async () => {
    const page = await app.open('/settings', { viewport: { width: 1280, height: 900 } })
    const name = 'W'.repeat(68)
    const { dialog } = await createKey(page, name)
    expect(await isCut(dialog.locator('.mantine-Modal-title'))).toBe(false)
    await dialog.getByRole('button', { name: 'I have saved the API key' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const revoke = page.getByRole('button', { name: `Revoke ${name}` })
    const box = await revoke.boundingBox()
    const panel = await page.getByRole('region', { name: 'API keys' }).boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((panel?.x ?? 0) + (panel?.width ?? 0))
    await revoke.press('Enter')
    await dialog.getByText(`Revoke “${name}”?`).waitFor()
    expect(await isCut(dialog.locator('.mantine-Modal-title'))).toBe(false)
    await dialog.getByRole('button', { name: 'Revoke API key' }).press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => focused(page)).toBe('API keys')
  })

  it('is marked as imported instead of its prefix', async () => {
    await insertKey(database.pool, companyId, 'a-key-from-elsewhere', { id: 'key_elsewhere' })
    const page = await app.open('/settings')
    const row = page.getByRole('row', { name: /^Test / })
    await row.waitFor()
    await expect.poll(() => row.getByRole('cell').nth(1).textContent()).toBe('Imported')
  })

  it('needs a name, and runs no script in it', async () => {
    const page = await app.open('/settings')
    const problems: string[] = []
    page.on('dialog', (dialog) => problems.push(dialog.message()))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.locator('main').getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('button', { name: 'Create API key' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const name = `<img src=x onerror=alert(1)>"'&lt;`
    const { key } = await createKey(page, name)
    await server.get(`/api/quotes?q=<script>alert(2)</script>&a=%3Cimg%20src=x%20onerror=alert(3)%3E`, key, {
      'x-request-id': '<svg/onload=alert(4)>',
    })
    await page.goto(`${app.url}/settings`)
    await page.getByText(name).first().waitFor()
    await page.goto(`${app.url}/settings/requests`)
    expect(await findInLog(page, /script/)).toContain('<script>alert(2)</script>')
    expect(problems).toEqual([])
  })
})

describe('allowed addresses', () => {
  it('apply to the API: other addresses, then this one, then any', async () => {
    const page = await app.open('/settings')
    await page.getByText('No restrictions. Any IP address can use a valid key.').waitFor()
    await page.getByRole('button', { name: 'Add IP address' }).click()
    const first = page.getByLabel('IP address 1', { exact: true })
    await expect.poll(() => page.locator('input:focus').getAttribute('aria-label')).toBe('IP address 1')
    await first.pressSequentially('192.0.2.1/24')
    await page
      .getByText('This block starts at 192.0.2.0/24. Enter that, or 192.0.2.1 for a single address.')
      .waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save IP addresses' }).isDisabled()).toBe(true)
    await first.fill('192.0.2.0/24')
    await page.getByText(/Yours \(127\.0\.0\.1\) is not in the list/).waitFor()
    await page.getByRole('button', { name: 'Save IP addresses' }).click()
    await becomes(app.apiKey, 401)

    await page.getByRole('button', { name: 'Add my IP address (127.0.0.1)' }).click()
    await page.getByRole('button', { name: 'Save IP addresses' }).click()
    await becomes(app.apiKey, 200)
    await page.reload()
    await expect.poll(() => page.getByLabel('IP address 2', { exact: true }).inputValue()).toBe('127.0.0.1')
    await page.goto(`${app.url}/settings/requests?status=4xx`)
    expect(await findInLog(page, /192|127/)).toMatch(
      /Sent from 127\.0\.0\.1, which is not an allowed IP address/,
    )

    await page.goto(`${app.url}/settings`)
    await page.getByRole('button', { name: 'Remove 192.0.2.0/24' }).click()
    await page.getByRole('button', { name: 'Remove 127.0.0.1' }).click()
    await page.getByRole('button', { name: 'Save IP addresses' }).click()
    await page.getByRole('button', { name: 'Save IP addresses' }).waitFor({ state: 'detached' })
    await becomes(app.apiKey, 200)
  })

  it('cannot be saved while some are invalid, and the message names them', async () => {
    const page = await app.open('/settings')
    const panel = page.getByRole('region', { name: 'Allowed IP addresses' })
    await panel.getByText('No restrictions. Any IP address can use a valid key.').waitFor()
    for (const [i, text] of ['nonsense', '192.0.2.7', '300.1.1.1'].entries()) {
      await panel.getByRole('button', { name: 'Add IP address' }).click()
      await panel.getByLabel(`IP address ${i + 1}`, { exact: true }).fill(text)
    }
    await panel.getByText('Correct or remove IP addresses 1 and 3.').waitFor()
    expect(await panel.innerText()).not.toMatch(/may call/)
    const save = panel.getByRole('button', { name: 'Save IP addresses' })
    await expect.poll(() => save.isDisabled()).toBe(true)
    await expect
      .poll(() => save.evaluate((button) => button.getAttribute('aria-describedby')))
      .toBe('addresses-note')
    await panel.getByRole('button', { name: 'Remove nonsense' }).click()
    await panel.getByText('Correct or remove IP address 2.').waitFor()
    await panel.getByRole('button', { name: 'Remove 300.1.1.1' }).click()
    await panel.getByText(/^After saving: Only these IP addresses/).waitFor()
    await panel.getByRole('button', { name: 'Discard changes' }).click()
    await panel.getByText(/^No restrictions\./).waitFor()
  })

  it('do not overwrite a concurrent change', async () => {
    const [one, other] = [await app.open('/settings'), await app.open('/settings')]
    for (const [page, address] of [
      [one, '127.0.0.1'],
      [other, '127.0.0.0/8'],
    ] as const) {
      await page.getByRole('button', { name: 'Add IP address' }).click()
      await page.getByLabel('IP address 1', { exact: true }).fill(address)
    }
    await one.getByRole('button', { name: 'Save IP addresses' }).click()
    await one.getByRole('button', { name: 'Save IP addresses' }).waitFor({ state: 'detached' })
    await other.getByRole('button', { name: 'Save IP addresses' }).click()
    await other.getByText('Someone else changed this list.').waitFor()
    expect(await other.getByLabel('IP address 1', { exact: true }).inputValue()).toBe('127.0.0.0/8')
    await other.getByRole('button', { name: 'Load the current list' }).click()
    await expect.poll(() => other.getByLabel('IP address 1', { exact: true }).inputValue()).toBe('127.0.0.1')
    await database.pool.query(`UPDATE companies SET allowed_ips = '{}' WHERE id = $1`, [companyId])
  })
})

describe('the plan', () => {
  it('lists its endpoints, and links to the reference and the OpenAPI document', async () => {
    const page = await app.open('/settings')
    const plan = page.getByRole('region', { name: 'Plan' })
    await plan.getByText('Premium').waitFor()
    await expect.poll(() => plan.getByRole('listitem').count()).toBe(ENDPOINTS.length)
    await plan.getByRole('link', { name: 'API reference' }).click()
    await page.waitForURL('**/docs')
    await page.goBack()
    await plan.getByRole('link', { name: 'OpenAPI document' }).click()
    await page.waitForURL('**/api/openapi.json')
    await expect.poll(() => page.locator('body').innerText()).toContain('"openapi"')
  })
})

/** Inserts 60 requests. Every second is a POST, every third failed. */
async function insertRequests(keyId: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await insert(database.pool, 'request_log', {
      company_id: companyId,
      id: newId('log'),
      at: new Date(),
      key_id: keyId,
      method: i % 2 === 0 ? 'GET' : 'POST',
      path: `/api/paged/${i}`,
      status: i % 3 === 0 ? 500 : 200,
      duration_us: 1_500,
      request_id: `paged-${i}`,
    })
  }
}

describe('the request log', () => {
  it('applies two filters that are chosen before the next render', async () => {
    const page = await app.open('/settings/requests')
    await page.getByLabel('Method').waitFor()
    await page.evaluate(`for (const option of document.querySelectorAll('option[value="4xx"], option[value="HEAD"]')) {
      option.selected = true
      option.closest('select').dispatchEvent(new Event('change', { bubbles: true }))
    }`)
    await page.waitForURL(/method=HEAD/)
    expect(new URL(page.url()).search).toBe('?status=4xx&method=HEAD')
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('4xx')
  })

  it('ignores a page turn of an outdated list', async () => {
    await insertKey(database.pool, companyId, 'a-key-for-going-on', { id: 'key_going_on' })
    await insertRequests('key_going_on')
    const page = await app.open('/settings/requests')
    const older = page.getByRole('button', { name: 'Older' })
    await older.waitFor()
    const held: Route[] = []
    await page.route(/request-log\?method=POST/, (route) => void held.push(route))
    await page.getByLabel('Method').selectOption('POST')
    await page.waitForURL(/method=POST/)
    await expect.poll(() => older.getAttribute('aria-disabled')).toBe('true')
    await older.dispatchEvent('click')
    for (const route of held) await route.continue()
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?method=POST')
  })

  it('does not return to the log when the user leaves right after typing', async () => {
    const page = await app.open('/settings/requests')
    await page.getByLabel('Path contains').waitFor()
    const held: Route[] = []
    await page.route(/assets\/quotes-/, (route) => void held.push(route))
    await page.clock.install()
    await page.getByLabel('Path contains').focus()
    await page.evaluate(`document.execCommand('insertText', false, 'x')
      document.querySelector('nav a[href$="/quotes"]').click()`)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    // The filter applies 300 ms after the last key.
    await page.clock.fastForward(600)
    for (const route of held) await route.continue()
    await page.getByRole('heading', { level: 1, name: 'Quotes' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('keeps filters and page in the URL, and shows a message if nothing matches', async () => {
    await insertKey(database.pool, companyId, 'a-key-for-paging', { id: 'key_paging' })
    await insertRequests('key_paging')
    const page = await app.open('/settings/requests', { permissions: ['clipboard-write'] })
    const rows = page.getByRole('row').filter({ hasText: '/api/' })
    const seen = async (count: number) => {
      await expect.poll(() => rows.count()).toBe(count)
    }
    await page.getByLabel('API key').selectOption('key_paging')
    // Without the filter there are also fifty.
    await expect.poll(() => page.getByLabel('API key').inputValue()).toBe('key_paging')
    await seen(50)
    await page.getByRole('button', { name: 'Older' }).click()
    await seen(10)
    expect(page.url()).toContain('before=')
    await page.goBack()
    await seen(50)
    await page.getByLabel('Status').selectOption('5xx')
    await seen(20)
    await page.getByLabel('Method').selectOption('POST')
    await seen(10)
    await page.getByLabel('Path contains').pressSequentially('PAG')
    await page.waitForURL(/path=PAG/)
    // The field keeps the focus.
    await page.keyboard.type('ED/3')
    await seen(3)
    const copy = await app.open(new URL(page.url()).pathname + new URL(page.url()).search)
    await expect.poll(() => copy.getByRole('row').filter({ hasText: '/api/' }).count()).toBe(3)
    await expect.poll(() => copy.getByLabel('Path contains').inputValue()).toBe('PAGED/3')
    await page.getByRole('textbox', { name: 'Request ID' }).fill('no-such-id')
    await page.getByText('No matching requests').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await seen(50)
    await expect.poll(() => page.getByRole('textbox', { name: 'Request ID' }).inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('button', { name: 'Copy request ID paged-59' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
  })

  it('and the settings show members a message without any request', async () => {
    const page = await app.open('/account', { role: 'MEMBER' })
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/console\/(settings|request-log)/.test(pathname)) asked.push(pathname)
    })
    for (const path of ['/settings', '/settings/requests']) {
      await page.goto(app.url + path)
      await page.getByRole('heading', { name: 'Administrators only' }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0)
    }
    expect(asked).toEqual([])
  })

  it.each(['/settings', '/settings/requests'])('%s has no horizontal scrolling on a phone', async (path) => {
    const page = await app.open(path, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    })
    await page.getByRole('row').nth(1).waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})

describe('the settings', () => {
  it.each(TWO_LOOKS)('have no barriers in any state: %s', async (_, look) => {
    const page = await app.open('/settings', { ...look, bypassCSP: true })
    await page.getByRole('button', { name: 'Add IP address' }).click()
    await page.getByLabel('IP address 1', { exact: true }).fill('203.0.113.7/24')
    await page.getByRole('switch', { name: /Show revoked API keys/ }).click()
    await expectNoBarriers(page)
    const { dialog } = await createKey(page, `For ${look.colorScheme} ${look.viewport?.width}`)
    await expectNoBarriers(page)
    await dialog.getByRole('button', { name: 'I have saved the API key' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .click()
    await dialog.waitFor()
    await expectNoBarriers(page)
    await page.goto(`${app.url}/settings/requests`)
    await page.getByRole('row').nth(1).waitFor()
    await expectNoBarriers(page)
  })
})
