/** The page of webhook endpoints and their deliveries. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { updateWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { contextOf } from '../test/support/actions.ts'
import { startReceiver, verify } from '../test/support/webhook-receiver.ts'
import { addEndpoint, addTask, startWorker, untilSettled } from '../test/support/webhooks.ts'
import { expectNoBarriers } from './barriers.ts'
import { settle } from './console-pages.ts'
import { smallWorld } from './small-world.ts'

const COMPANY = 'co_hooks'
const PAGE = '/settings/webhooks'
const { event, start } = smallWorld(COMPANY)
const app = await start([event('ev_1', '2027-04-05T15:00:00Z', '2027-04-05T19:00:00Z')])
const { pool } = app.database
startWorker(pool)

const plantEndpoint = (url: string) => addEndpoint(pool, url, { companyId: COMPANY, types: ['task.*'] })

/** A receiver whose status the test sets, an endpoint for it, and its page. */
async function openEndpoint(): Promise<{
  page: Page
  id: string
  secret: string
  receiver: Awaited<ReturnType<typeof startReceiver>>
  respondWith: (status: number) => void
}> {
  let status = 200
  const receiver = await startReceiver(() => (_, response) => {
    response.writeHead(status).end(status === 200 ? 'thank you' : 'out of order')
  })
  const endpoint = await plantEndpoint(receiver.url)
  const page = await app.open(`${PAGE}?endpoint=${endpoint.id}`)
  return { page, ...endpoint, receiver, respondWith: (next) => (status = next) }
}

/** Sends a change to all endpoints, and waits until they have it. */
async function sendChange(): Promise<string> {
  const id = await addTask(pool, COMPANY)
  await untilSettled(pool, COMPANY)
  return id
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

describe('a webhook endpoint', () => {
  it('K1: is added with a secret that is shown once, and receives a test event that it signs', async () => {
    const receiver = await startReceiver()
    const page = await app.open(PAGE)
    await button(page.locator('main'), 'Add endpoint').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('ftp://example.com')
    await dialog.getByRole('checkbox', { name: 'All changes' }).click()
    await dialog.getByRole('checkbox', { name: 'Quotes', exact: true }).click()
    await dialog.getByRole('checkbox', { name: 'Task completed' }).click()
    await button(dialog, 'Add endpoint').click()
    await dialog.getByText('The URL must be an http or https URL').waitFor()
    await expect.poll(() => page.locator('input:focus').inputValue()).toBe('ftp://example.com')
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByLabel('Description').fill('Accounting')
    await button(dialog, 'Add endpoint').click()
    await dialog.getByText('Copy it now.').waitFor()
    const secret = (await dialog.locator('pre').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await page.keyboard.press('Escape')
    await expect
      .poll(() => dialog.getByRole('button').allTextContents())
      .toEqual(['Copy signing secret', 'I have saved the secret'])
    await button(dialog, 'I have saved the secret').click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(secret)

    const row = page.getByRole('listitem').filter({ hasText: receiver.url })
    await expect
      .poll(() => row.first().innerText())
      .toMatch(/Accounting\n+Quotes \(all\)\n+Task completed\n+Enabled/)
    await row.getByRole('link', { name: receiver.url }).click()
    await button(page, 'Send test event').click()
    await page.getByRole('status').getByText('200 OK').waitFor()
    await page.getByText('The response has no body.').waitFor()
    const [request] = receiver.received
    expect(request?.type).toBe('test')
    expect(request && verify(request, secret)).toMatchObject({ type: 'test' })
  })

  it('is edited', async () => {
    const { page, id } = await openEndpoint()
    await button(page, 'Edit').click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('checkbox', { name: 'Task edited' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Task edited' }).click()
    await dialog.getByLabel('Description').fill('Planner')
    await button(dialog, 'Save endpoint').click()
    await dialog.waitFor({ state: 'hidden' })
    const { rows } = await pool.query(`SELECT description, types FROM webhook_endpoints WHERE id = $1`, [id])
    expect(rows).toEqual([
      { description: 'Planner', types: ['task.created', 'task.completed', 'task.deleted'] },
    ])
    await page.getByText('Planner').waitFor()
  })

  it('K1: gets a new secret, and both sign during the overlap', async () => {
    const { page, secret, receiver } = await openEndpoint()
    await button(page, 'Rotate secret').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Overlap in hours').fill('73')
    await dialog.getByText('Enter 0 to 72 hours.').waitFor()
    await dialog.getByLabel('Overlap in hours').fill('2')
    await button(dialog, 'Rotate secret').click()
    await dialog.getByText(/^Both secrets sign until/).waitFor()
    const rotated = (await dialog.locator('pre').textContent()) ?? ''
    await button(dialog, 'I have saved the secret').click()
    await dialog.waitFor({ state: 'hidden' })
    await button(page, 'Send test event').click()
    await page.getByRole('status').getByText('200 OK').waitFor()
    const [request] = receiver.received
    for (const one of [secret, rotated]) expect(request && verify(request, one)).toBeTruthy()
  })

  it('K1: is disabled, shows why, and is enabled again', async () => {
    const { page, respondWith } = await openEndpoint()
    await button(page, 'Disable').click()
    await button(page.getByRole('dialog'), 'Disable endpoint').click()
    await page.getByText('A user disabled this endpoint.').waitFor()
    await page.getByRole('button', { name: /^Enable / }).click()
    await page.getByText('Enabled', { exact: true }).waitFor()
    respondWith(410)
    await sendChange()
    await button(page, 'Refresh').click()
    await page.getByText('The receiver answered 410 Gone.').waitFor()
    await page.getByRole('link', { name: 'Task created' }).click()
    await page.getByText('The endpoint is disabled. Enable it to send this delivery again.').waitFor()
    await expect.poll(() => button(page, 'Retry').isDisabled()).toBe(true)
  })

  it('is deleted after a question', async () => {
    const { page, id, receiver } = await openEndpoint()
    await button(page, 'Delete').click()
    await button(page.getByRole('dialog'), 'Delete endpoint').click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.getByText(receiver.url).waitFor({ state: 'detached' })
    await page.goto(`${app.url}${PAGE}?endpoint=${id}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })
})

describe('deliveries', () => {
  it('K5: show the request and each attempt with its response, and are sent again', async () => {
    const { page, receiver, respondWith } = await openEndpoint()
    await page.getByText('No deliveries yet').waitFor()
    respondWith(500)
    const taskId = await addTask(pool, COMPANY)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    await button(page, 'Refresh').click()
    const row = page.getByRole('listitem').filter({ hasText: 'Task created' })
    await expect.poll(() => row.innerText()).toMatch(/Pending[\s\S]*500 Internal server error\n+\d attempts?/)
    await row.getByRole('link').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('out of order').first().waitFor()
    const body = await dialog.getByRole('region', { name: 'Request body' }).textContent()
    expect(JSON.parse(body ?? '')).toEqual(JSON.parse(receiver.received[0]?.text ?? ''))
    expect(body).toContain(taskId)
    respondWith(200)
    await button(dialog, 'Retry').click()
    await dialog.getByText('thank you').waitFor()
    await dialog.getByText('Delivered', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('radiogroup').getByText('Failed').click()
    await page.getByText('No matching deliveries').waitFor()
    await page.getByRole('radiogroup').getByText('Delivered').click()
    await expect.poll(() => row.innerText()).toMatch(/200 OK/)
    expect(new URL(page.url()).searchParams.get('status')).toBe('delivered')

    await button(page, 'Send again').click()
    await dialog.getByLabel('Since').fill('2020-01-01T00:00')
    await button(dialog, 'Send again').click()
    await dialog.waitFor({ state: 'hidden' })
    await untilSettled(pool, COMPANY)
    await button(page, 'Refresh').click()
    await expect.poll(() => row.count()).toBeGreaterThan(1)
  })

  it('are shown in pages, newest first', async () => {
    const { page, id } = await openEndpoint()
    for (let i = 0; i < 26; i++) await addTask(pool, COMPANY)
    await untilSettled(pool, COMPANY)
    await page.reload()
    await button(page, 'Older').click()
    const rows = page.locator('.webhook-delivery a')
    await expect.poll(() => rows.count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('endpoint')).toBe(id)
    await button(page, 'Back to latest').click()
    await expect.poll(() => rows.count()).toBe(25)
  })
})

describe('the page', () => {
  it('has no barriers on a phone in the dark, and is closed to members', async () => {
    const { id } = await plantEndpoint('http://127.0.0.1:9/hook')
    await runAction(contextOf(pool, COMPANY), updateWebhookEndpoint, { id, status: 'disabled' })
    const endpoint = await plantEndpoint((await startReceiver(() => 500)).url)
    await sendChange()
    const page = await app.open(PAGE, { viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
    const check = async () => {
      await expectNoBarriers(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    }
    await button(page.locator('main'), 'Add endpoint').click()
    await page.getByRole('checkbox', { name: 'All changes' }).click()
    await check()
    await page.goto(`${app.url}${PAGE}`)
    await page.getByText('A user disabled this endpoint.').waitFor()
    await check()
    await page.goto(`${app.url}${PAGE}?endpoint=${endpoint.id}`)
    await settle(page)
    await button(page, 'Send test event').click()
    await page.getByRole('status').getByText('500 Internal server error').waitFor()
    await check()
    for (const name of ['Rotate secret', 'Send again', 'Delete']) {
      await button(page, name).click()
      await page.getByRole('dialog').waitFor()
      await check()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await expect.poll(() => page.locator('button:focus').textContent()).toBe(name)
    }
    await page.getByRole('link', { name: 'Task created' }).first().press('Enter')
    await page.getByRole('region', { name: 'Request body' }).waitFor()
    await check()
    const member = await app.open(PAGE, { role: 'MEMBER' })
    await member.getByText('Administrators only').waitFor()
  })

  it('says so while the server cannot be reached', async () => {
    const page = await app.open('/account')
    await page.route('**/console/webhooks', (route) => route.abort())
    await page.goto(`${app.url}${PAGE}`)
    await page.getByText('Cannot reach the server. Check your connection and try again.').waitFor()
    await page.unroute('**/console/webhooks')
    await button(page, 'Retry').click()
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
  })
})
