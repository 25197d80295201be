/**
 * `npm run journey`: a company that has just installed the product sets itself up and writes its first quote, in a real browser,
 * starting from an empty database. Screenshots, durations and clicks of each step are in `.journey`.
 */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startBrowser } from '../e2e/browser.ts'
import { freePort } from '../test/support/command.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { createDatabase } from '../test/support/database.ts'
import { startCommand } from '../test/support/process.ts'
import { Journey } from './steps.ts'

const { connection } = await createDatabase()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const program = startCommand(['serve'], {
  DATABASE_URL: connectionUrl(connection),
  APP_SECRET: 'a secret that is long enough for the journey',
  PORT: String(port),
  PUBLIC_URL: url,
})
const [setupLink = ''] = await program.waitFor(/http:\S+\/setup\/\S+/)

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#8a3b12"/></svg>',
)
const PRICE_LIST = `Name,Unit,Price,Description
Mobile bar,hour,380.00,Four-meter bar with two bartenders
Open bar,guest,28.75,Beer and wine
Grazing table,guest,34.75,"Cheeses, charcuterie and bread"
Photo booth,hour,245.00,With an attendant
Tasting,each,150.00,
`

const browser = await startBrowser()
const page = await (
  await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', reducedMotion: 'reduce' })
).newPage()
const journey = await Journey.start(page)

const field = (label: string | RegExp, within: Page | Locator = page) =>
  within.getByLabel(label, typeof label === 'string' ? { exact: true } : {}).first()
const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
const link = (name: string | RegExp) => page.getByRole('link', { name }).first()
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first()

describe('from an empty database to the first quote', () => {
  it('sets up the company with the link that the server printed', async () => {
    await journey.step('Setup', async () => {
      await page.goto(setupLink)
      await field('Company name').fill('Fig & Fennel')
      await field('Your name').fill('Ada Noor')
      await field('Email').fill('ada@fig.example')
      await field('Password').fill('a long password of Ada')
      await button('Create company').click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
    })
  })
})
