/** The builder of forms with its preview, and the public form with and without JavaScript: docs/forms.md. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stampOf } from '../test/support/forms.ts'
import { findViolations } from './barriers.ts'
import { finishAnimations, settle } from './console-pages.ts'
import { LOOKS, startConsole } from './console.ts'

const app = await startConsole()
const PATH = '/f/harborlight-quote'
const { pool } = app.database

/** As if the page had been open for a minute. */
const waitMinute = (page: Page, formId = 'form_quote') =>
  page.locator('[name=stamp]').evaluate(
    (input, value) => {
      ;(input as unknown as { value: string }).value = value
    },
    stampOf([app.companyId, formId]),
  )

const overhang = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

async function openForm(options: Parameters<typeof app.browser.newContext>[0] = {}): Promise<Page> {
  const page = await (await app.browser.newContext(options)).newPage()
  await page.goto(app.url + PATH)
  return page
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Noor')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('What are you planning?').selectOption({ index: 1 })
  await page.getByLabel('On which day?').fill('2099-05-30')
  await page.getByLabel('How many guests').fill('80')
  await page.getByLabel('Yes').check()
}

const send = (page: Page) => page.getByRole('button', { name: 'Send request' }).click()

const countResponses = async (email: string) => {
  const { rowCount } = await pool.query(
    `SELECT FROM form_responses r JOIN quotes q ON q.id = r.quote_id JOIN leads l ON l.id = q.lead_id WHERE l.email = $1`,
    [email],
  )
  return rowCount
}

describe('the public form', () => {
  it.each(LOOKS.map(([name, look]) => [name, { ...look, ...(look.isMobile === true && PHONE) }] as const))(
    'FM1: has no barriers in the look %s, empty and with errors',
    async (_, look) => {
      const page = await openForm(look)
      expect(await findViolations(page)).toEqual([])
      expect(await overhang(page)).toBeLessThanOrEqual(0)
      await waitMinute(page)
      await send(page)
      await page.getByRole('alert').waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(await overhang(page)).toBeLessThanOrEqual(0)
    },
  )

  it('FM3: shows and hides questions at once with JavaScript, and is sent', async () => {
    const page = await openForm()
    const rain = page.getByRole('group', { name: 'What happens if it rains?' })
    expect(await rain.isVisible()).toBe(false)
    await fillIn(page, 'with@example.com')
    await rain.waitFor()
    await page.getByLabel('No', { exact: true }).check()
    await rain.waitFor({ state: 'hidden' })
    await page.getByLabel('Yes').check()
    await page.getByLabel('We need a tent').check()
    await waitMinute(page)
    await send(page)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(await countResponses('with@example.com')).toBe(1)
    await page.goBack()
    await page.getByLabel('Your name').waitFor()
  })

  it('FM3, FM4: shows them after a round trip without JavaScript, and keeps the input', async () => {
    const page = await openForm({ javaScriptEnabled: false })
    await fillIn(page, 'without@example.com')
    await waitMinute(page)
    await send(page)
    await page.getByText('Your answers led to more questions.').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Noor')
    await page.getByLabel('Email address').fill('without')
    await page.getByLabel('There is a tent').check()
    await send(page)
    await page.getByText('Enter an email address, such as name@example.com.').first().waitFor()
    expect(await page.getByLabel('There is a tent').isChecked()).toBe(true)
    await page.getByLabel('Email address').fill('without@example.com')
    await send(page)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(await countResponses('without@example.com')).toBe(1)
  })

  it('FM9: is shown by a listed site with one line of HTML', async () => {
    await pool.query(`UPDATE forms SET allowed_origins = $1 WHERE id = 'form_quote'`, [[app.url]])
    const page = await (await app.browser.newContext()).newPage()
    const site = `${app.url}/healthz`
    await page.route(site, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<h1>Site</h1><script src="${PATH}/embed.js"></script>`,
      }),
    )
    await page.goto(site)
    await page.frameLocator('iframe').getByLabel('Your name').waitFor()
    await expect
      .poll(() => page.locator('iframe').evaluate((frame) => Reflect.get(frame, 'style').height))
      .toMatch(/px$/)
  })
})

const PHONE = { viewport: { width: 360, height: 740 } }

describe('the builder', () => {
  it('FM12: creates a form with a preview, reorders by keyboard, and publishes it', async () => {
    const page = await app.open('/forms', { viewport: { width: 1280, height: 900 } })
    await page.getByRole('button', { name: 'New form' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Garden parties')
    await page.getByRole('button', { name: 'Create form' }).click()
    await page.getByRole('heading', { level: 1, name: 'Garden parties' }).waitFor()
    await page.getByRole('button', { name: 'Add question' }).click()
    const added = page.getByRole('textbox', { name: 'Question', exact: true })
    await expect.poll(() => added.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.type('Do you need a tent?')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByLabel('Do you need a tent?').waitFor()
    await page.getByRole('button', { name: 'Reorder Do you need a tent?' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('button', { name: 'Save form' }).click()
    await page.getByText('Saved the form.').waitFor()
    await page.getByRole('button', { name: 'Publish form' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByText('<script src=').waitFor()
    const { text } = await app.server.call('/f/garden-parties')
    expect(text.indexOf('Do you need a tent?')).toBeLessThan(text.indexOf('Anything else we should know?'))
    expect(text).toContain('Do you need a tent?')
  })

  it('FM13: responses show on the form and on the quote, without barriers on a phone in the dark', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT quote_id AS id FROM form_responses WHERE form_id = 'form_quote' LIMIT 1`,
    )
    const page = await app.open('/forms/form_quote', { ...PHONE, isMobile: true, colorScheme: 'dark' })
    await settle(page)
    await page.getByRole('region', { name: 'Responses' }).getByText('Ada Noor').first().waitFor()
    await finishAnimations(page)
    expect(await findViolations(page)).toEqual([])
    expect(await overhang(page)).toBeLessThanOrEqual(0)
    await page.goto(`${app.url}/quotes/${rows[0]?.id ?? ''}`)
    await page.getByRole('region', { name: 'Form answers' }).getByText('Ada Noor').first().waitFor()
  })

  it('FM13: answers to a booking form show on the event', async () => {
    const { rows } = await pool.query<{ id: string; answer: string }>(
      `SELECT e.id, a.response AS answer FROM events e
      JOIN form_responses r ON r.company_id = e.company_id AND r.booking_id = e.booking_id
      JOIN form_answers a ON a.company_id = r.company_id AND a.form_response_id = r.id
      WHERE e.company_id = $1 AND a.response <> '' ORDER BY e.id LIMIT 1`,
      [app.companyId],
    )
    const [{ id, answer }] = rows as [{ id: string; answer: string }]
    const page = await app.open(`/events/${id}`)
    await page.getByRole('region', { name: 'Form answers' }).getByText(answer).first().waitFor()
    expect(await findViolations(page)).toEqual([])
  })
})
