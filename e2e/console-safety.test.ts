import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { contextOf } from '../test/support/actions.ts'
import { PASSWORD } from '../test/support/console.ts'
import { SECRETS } from '../test/support/webhooks.ts'
import { startConsole } from './console.ts'
import { PAGE_NAMES, isOfRecord, pathOf, useEachControl, visit } from './console-pages.ts'
import type { PageName } from './console-pages.ts'
import { BOTH, COMPANY, VARIANTS, hostileId, hostileWorld } from './hostile-world.ts'

const app = await startConsole(await hostileWorld())

/** Scripts that ran, requests to other hosts, dialogs and errors. */
const problems: string[] = []

/** Finds elements and attributes that run or load something that is not part of the application. */
const SCAN = `[...document.querySelectorAll('*')].flatMap((element) => {
  const found = []
  for (const { name, value } of element.attributes) {
    if (/^on/i.test(name) || name === 'srcdoc') found.push(name)
    if (/^(href|src|action|formaction|data|xlink:href|poster)$/i.test(name)
      && !element.matches('script[src], link')
      && !['http:', 'https:', 'data:', 'mailto:', 'tel:'].includes(new URL(value, location.href).protocol))
      found.push(name + '=' + value)
  }
  if (/^(iframe|object|embed|frame|base|meta)$/i.test(element.tagName) && !element.closest('head')) found.push('an element')
  if (element.tagName === 'SCRIPT' && new URL(element.src, location.href).pathname.startsWith('/assets/') === false)
    found.push('a script')
  if (element.tagName === 'IMG' && new URL(element.src, location.href).origin !== location.origin) found.push('an image')
  return found.map((what) => what + ' in ' + element.outerHTML.slice(0, 200))
})`

const look = async (page: Page, where: string) => {
  for (const found of await page.evaluate<string[]>(SCAN)) problems.push(`${where}: ${found}`)
}

/** Records problems in all pages of a context. */
async function watch(context: BrowserContext): Promise<void> {
  await context.exposeFunction('hacked', (field: unknown) => problems.push(`a script ran: ${String(field)}`))
  await context.exposeFunction('violated', (what: unknown) =>
    problems.push(`violates the policy: ${String(what)}`),
  )
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => violated(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample))`,
  )
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol !== 'data:' && host !== new URL(app.url).host) problems.push(`requested ${request.url()}`)
  })
  context.on('dialog', async (dialog) => {
    // The browser asks before an editor with changes is left.
    if (dialog.type() !== 'beforeunload') problems.push(`a dialog: ${dialog.message()}`)
    await dialog.accept()
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
}

const page = await app.open()
await watch(page.context())
await page.reload()
// The form would reject this text.
await app.database.pool.query(`UPDATE users SET email = $1 WHERE company_id = $2 AND id = 'user_ADMIN'`, [
  `"><script>hacked('user.email')</script>@x.example`,
  COMPANY,
])
// For the request log: in the path, the parameters and the id.
for (const path of ['/api/quotes/', '/api/resources/', '/api/quotes?expand[]='])
  await app.server.get(`${path}${encodeURIComponent(hostileId('log', 0))}`, app.apiKey, {
    'x-request-id': `<script>hacked('request')</script>`,
  })

await runAction(contextOf(app.database.pool, COMPANY), createWebhookEndpoint, {
  url: `https://example.com/?<script>hacked('endpoint.url')</script>`,
  description: `<img src=x onerror="hacked('endpoint.description')">`,
  types: ['*'],
  secrets: SECRETS,
})

const idsOf = (variant: number) => ({
  quote: hostileId('quote', variant),
  event: hostileId('event', variant),
  form: hostileId('form', variant),
  contact: hostileId('lead', variant),
  service: hostileId('service', variant),
})

/** Fields whose texts the page shows. */
async function shownFields(): Promise<string[]> {
  const text = await page.locator('body').innerText()
  return Array.from(text.matchAll(/hacked\(['"]([\w.]+)/g), ([, field = '']) => field)
}

it('the request log is written', async () => {
  const count = async () => (await app.database.pool.query('SELECT id FROM request_log')).rowCount
  await expect.poll(count).toBe(3)
})

/** Some fields that each page must show, since an empty page runs nothing. The header shows company and user. */
const SHOWN: Record<PageName, string> = {
  dashboard: 'event.name location.name task.description invoice.invoiceNumber booking.entityToInvoice',
  quotes: 'lead.firstName lead.lastName location.name eventType.name',
  quote:
    'lead.email location.city quote.eventDescription lineItem.description service.name contract.name taxRate.name',
  quoteNew: '',
  quoteEdit: 'lead.firstName service.name addon.name serviceCharge.name taxRate.name',
  events: 'event.name event.clientName location.name',
  event:
    'event.specialNotes task.description staff.firstName resource.name service.description booking.fullName',
  forms: 'form.name',
  form: 'form.name formQuestion.title formQuestion.subtitle',
  settings: 'apiKey.name',
  company: 'company.name',
  people: 'user.name',
  mail: '',
  webhooks: 'endpoint.url endpoint.description',
  requestLog: 'apiKey.name log.id',
  audit: 'apiKey.name endpoint.url',
  account: 'user.email',
  contacts: 'lead.firstName lead.lastName lead.email',
  contact: 'lead.email lead.phone lead.notes lead.companyName',
  service: 'service.name service.description service.imageUrl',
  packageNew: '',
}

describe.each(PAGE_NAMES)('the page %s', (name) => {
  const variants = isOfRecord(name) ? VARIANTS : [0]

  it('runs no script in its texts and loads nothing from other hosts', async () => {
    problems.length = 0
    const seen = new Set<string>()
    for (const variant of variants) {
      await visit(page, app.url + pathOf(name, idsOf(variant)))
      for (const field of await shownFields()) seen.add(field)
      await look(page, `${name} ${variant}`)
    }
    // Some parts of a page load after the rest.
    const seeMore = async () => {
      for (const field of await shownFields()) seen.add(field)
      return [...seen]
    }
    await expect
      .poll(seeMore)
      .toEqual(
        expect.arrayContaining([
          'company.name',
          'user.name',
          ...SHOWN[name].split(' ').filter((field) => field !== ''),
        ]),
      )
    await look(page, `${name} at last`)
    expect(problems).toEqual([])
  }, 120_000)

  it('runs no script in the texts of its menus, dialogs and buttons', async () => {
    problems.length = 0
    await useEachControl(page, app.url + pathOf(name, idsOf(1)), (control) =>
      look(page, `${name}: ${control.name}`),
    )
    expect(problems).toEqual([])
  }, 240_000)
})

describe('the choice of a company', () => {
  it('shows names as text', async () => {
    problems.length = 0
    const context = await app.browser.newContext()
    await watch(context)
    const other = await context.newPage()
    await other.goto(`${app.url}/quotes/${encodeURIComponent(hostileId('quote', 0))}`)
    await other.getByLabel('Email').fill(BOTH)
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText(`hacked('company.name')`).first().waitFor()
    await look(other, 'the choice of a company')
    expect(problems).toEqual([])
  })
})

it('finds a script that runs', async () => {
  problems.length = 0
  await visit(page, app.url)
  await page.evaluate(`hacked('the test')`)
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="hacked(1)">')`)
  await look(page, 'the test')
  await expect
    .poll(() => problems)
    .toEqual(
      expect.arrayContaining([
        'a script ran: the test',
        expect.stringContaining('violates the policy: script-src-attr'),
        expect.stringContaining('the test: onerror in'),
      ]),
    )
})
