import { describe, expect, it } from 'vitest'
import { PASSWORD, emailOf, plantUser } from '../test/support/console.ts'
import { insertCompany } from '../test/support/records.ts'
import { signIn, startConsole } from './console.ts'

const app = await startConsole()
const { url, browser, companyId, database } = app
const ADMIN = emailOf('ADMIN', companyId)

const newPage = async (path = '/') => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(url + path)
  return page
}

describe('signing in', () => {
  it('shows the requested page, and again after a reload', async () => {
    const page = await newPage('/account')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(() => page.title()).toBe('Sign in · Event Quoting Service')
    await signIn(page, ADMIN)
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/account')
  })

  it('does not reveal whether the email or the password is wrong', async () => {
    const page = await newPage()
    const messages = []
    for (const [email, password] of [
      [emailOf('MEMBER', companyId), 'not the password'],
      ['unknown@console.example', PASSWORD],
    ] as const) {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      messages.push(await page.getByRole('alert').textContent())
      await page.reload()
    }
    expect(messages).toEqual(Array(2).fill('Incorrect email or password.'))
  })

  it('sets cookies that scripts cannot read', async () => {
    const page = await newPage()
    await signIn(page, ADMIN)
    expect(await page.evaluate('document.cookie')).toBe('')
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([
      { name: 'eqs_session', httpOnly: true, sameSite: 'Strict' },
      // Only says which company the browser works for, so that its own views of a quote page do not count.
      { name: 'eqs_company', httpOnly: true, sameSite: 'Lax' },
    ])
  })

  it('ends the session when the user signs out, so that the old cookie is invalid', async () => {
    const page = await app.open()
    const cookies = await page.context().cookies()
    await page.getByRole('button', { name: /Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().addCookies(cookies)
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('shows a message if signing out fails, and can be repeated', async () => {
    const page = await app.open()
    const signOut = async () => {
      await page.getByRole('button', { name: /Account:/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await page.route('**/console/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await signOut()
    await page.getByText('Could not sign out').waitFor()
    await page.unroute('**/console/session')
    await signOut()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('ends the sessions of other browsers with Sign out everywhere', async () => {
    const [one, other] = [await app.open('/account'), await app.open('/account')]
    await one.getByRole('button', { name: 'Sign out everywhere' }).click()
    await one.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('changes the user in every tab', async () => {
    const one = await app.open('/account')
    const other = await one.context().newPage()
    await other.goto(`${url}/account`)
    await other.getByText('Administrator with full access').waitFor()
    await one.getByRole('button', { name: /Account:/ }).click()
    await one.getByRole('menuitem', { name: 'Sign out' }).click()
    await signIn(one, emailOf('MEMBER', companyId))
    await other.getByText('Member with access to everything except settings and people').waitFor()
  })

  it('rejects requests of a page that belongs to the previous user', async () => {
    const page = await app.open('/account')
    const member = await app.open('/account', { role: 'MEMBER' })
    // Simulates tabs that cannot communicate.
    await page.context().clearCookies()
    await page.context().addCookies(await member.context().cookies())
    const answers: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/console/dashboard')) answers.push(response.status())
    })
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('button', { name: 'Account: The MEMBER' }).waitFor()
    expect(answers[0]).toBe(401)
  })

  it('never shows cached data of another company', async () => {
    await insertCompany(database.pool, 'co_other')
    await plantUser(database, 'co_other')
    const page = await app.open('/quotes')
    const quotes = page.locator('.quote-table tbody tr')
    await quotes.first().waitFor()
    // Simulates tabs that cannot communicate.
    await page.context().request.post(`${url}/console/session`, {
      data: { email: emailOf('ADMIN', 'co_other'), password: PASSWORD },
    })
    // Without a response, the page can only show cached data.
    await page.route('**/console/quotes*', () => undefined)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('banner').getByText('Company co_other').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Quotes' }).click()
    await page.getByRole('heading', { name: 'Quotes', level: 1 }).waitFor()
    expect(await quotes.count()).toBe(0)
  })

  it('hides settings from members', async () => {
    const page = await app.open('/', { role: 'MEMBER' })
    await page.getByRole('link', { name: 'Quotes' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Integrations' }).count()).toBe(0)
  })
})

describe('the pages', () => {
  it('load nothing from other hosts, and less than 200 kB of compressed script at first', async () => {
    const page = await (await browser.newContext()).newPage()
    const scripts: Promise<number>[] = []
    const hosts = new Set<string>()
    page.on('response', (response) => {
      hosts.add(new URL(response.url()).host)
      if (response.url().endsWith('.js'))
        scripts.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => responseBodySize),
        )
    })
    await page.goto(url)
    await signIn(page, ADMIN)
    await page.waitForLoadState('networkidle')
    expect([...hosts]).toEqual([new URL(url).host])
    expect(scripts.length).toBeGreaterThan(1)
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(200_000)
  })

  it('show a message if one cannot be loaded, and the others still work', async () => {
    const page = await app.open('/account')
    await page.route(/assets\/quotes-.*\.js/, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Quotes' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    await page.unroute(/assets\/quotes-.*\.js/)
    await page.goto(`${url}/quotes`)
    await page.getByRole('heading', { level: 1, name: 'Quotes' }).waitFor()
  })

  it('comply with the content security policy', async () => {
    const page = await (await browser.newContext()).newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(url)
    await signIn(page, ADMIN)
    await page.getByRole('button', { name: /Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    expect(problems).toEqual([])
  })
})
