/** The audit log and the history on the pages of quotes and events. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createTask } from '../src/actions/create-task.ts'
import { createTaxRate } from '../src/actions/create-definition.ts'
import { markLost } from '../src/actions/mark-quote.ts'
import { createRecord, updateRecord } from '../src/actions/records.ts'
import type { RecordPath } from '../src/core/record-kinds.ts'
import type { RecordValues } from '../src/records/kind.ts'
import { contextOf } from '../test/support/actions.ts'
import { expectNoBarriers } from './barriers.ts'
import { startConsole } from './console.ts'

const app = await startConsole()
const { companyId, database } = app
const context = contextOf(database.pool, companyId)
const key = { type: 'apiKey', id: 'key_1', name: 'Website' } as const
await runAction(context, createTaxRate, { name: 'City tax', rate: '3.25' })
const task = { eventId: 'event_0045_2', description: '=HYPERLINK("x") "quoted"', dueDate: null }
await runAction({ ...context, actor: key }, createTask, task)
await runAction(context, markLost, { id: 'quote_0297', reason: 'PRICE' })

describe('the audit log', () => {
  it('lists changes and settings with their person, and links to the record', async () => {
    const page = await app.open('/audit')
    const entries = page.locator('.activity > li')
    await entries.first().waitFor()
    expect(await entries.nth(0).innerText()).toMatch(/^Quote marked as lost.*Q-297\nAda Lindqvist · /)
    expect(await entries.nth(0).innerText()).toContain('Lost reason none → Price too high')
    expect(await entries.nth(1).innerText()).toMatch(/^Task created.*\nWebsite \(API key\) · /)
    expect(await entries.nth(2).innerText()).toMatch(/^Tax rate created.*City tax/)
    await page.getByRole('link', { name: 'Q-297' }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.getByText('Quote marked as lost').waitFor()
  })

  it('N12: has old and new values of records, as their pages show them', async () => {
    const change = async (kind: RecordPath, values: RecordValues, changes: RecordValues) => {
      const { id, updatedAt } = await runAction(context, createRecord, { kind, values })
      await runAction(context, updateRecord, { kind, id, updatedAt, values: changes })
    }
    const item = { name: 'Bar', prices: [{ currency: 'USD', unitPriceCents: 12_500 }], unit: 'HOUR' }
    const prices = [...item.prices, { currency: 'EUR', unitPriceCents: 9_900 }]
    await change('services', item, { prices, unit: 'DAY', taxable: false })
    const half = { paymentSchedule: 'DEPOSIT', depositType: 'PERCENT', depositPercentage: '50' }
    const fixed = { depositType: 'AMOUNT', depositAmountCents: 20_000 }
    await change('payment-terms', { name: 'Half', ...half }, fixed)
    const line = { kind: 'CUSTOM', description: 'Setup' }
    await change('packages', { name: 'Morning', lines: [line] }, { lines: [{ ...line, quantity: 2 }] })

    const page = await app.open('/audit')
    const entryOf = (title: string) => page.locator('.activity > li', { hasText: title }).innerText()
    await page.getByText('Service edited').waitFor()
    const service = await entryOf('Service edited')
    expect(service).toContain('Unit price $125.00 → $125.00, €99.00')
    expect(service).toContain('Unit per hour → per day')
    expect(service).toContain('Taxable Yes → No')
    const terms = await entryOf('Payment terms edited')
    expect(terms).toContain('Deposit Percentage of the total → Fixed amount')
    expect(terms).toContain('Deposit in percent 50% → none')
    expect(terms).toContain('Deposit amount none → $200.00')
    expect(await entryOf('Package edited')).toContain('Lines Setup → 2 × Setup')
    await expectNoBarriers(page)
  })

  it('filters by kind and person, with the filters in the URL', async () => {
    const page = await app.open('/audit')
    await page.locator('.activity > li').first().waitFor()
    await page.getByLabel('Kind').selectOption('Tasks')
    await page.getByText('Quote marked as lost').waitFor({ state: 'detached' })
    expect(await page.locator('.activity > li').count()).toBe(1)
    expect(page.url()).toMatch(/\?kind=tasks$/)
    await page.getByLabel('Person').selectOption('System')
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Data imported').waitFor()
    await page.getByLabel('Kind').selectOption('Contacts')
    await page.getByText('Data imported').waitFor({ state: 'detached' })
  })

  it('is exported as CSV, without formulas', async () => {
    const page = await app.open('/audit?kind=tasks')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const text = readFileSync(await (await download).path(), 'utf8')
    const [head, row, ...rest] = text.split('\r\n')
    expect(head).toBe('\ufeff"Time","Person","What","Record","Record ID","Details"')
    expect(row).toMatch(/Z","Website \(API key\)","Task created","'=HYPERLINK\(""x""\) ""quoted""","task_/)
    expect(rest).toEqual([''])
  })

  it('has no barriers on a phone in the dark, and is closed to members', async () => {
    const page = await app.open('/audit', { viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
    await page.locator('.activity > li').first().waitFor()
    await expectNoBarriers(page)
    const member = await app.open('/audit', { role: 'MEMBER' })
    await member.getByText('Administrators only').waitFor()
  })
})
