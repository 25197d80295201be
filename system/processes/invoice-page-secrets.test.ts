import { describe, expect, it } from 'vitest'
import { connectionUrl } from '../../test/support/connections.ts'
import { SECRET, createInvoicePages } from '../../test/support/invoice-page.ts'
import { startCommand } from '../../test/support/process.ts'
import { KEY } from '../../test/support/quotes.ts'

const { connection, invoice, open } = await createInvoicePages()

describe('L9: APP_SECRET can be replaced', () => {
  it('opens old links with APP_SECRET_PREVIOUS, and creates new ones with the new secret', async () => {
    const token = await invoice({ booking_id: 'book_replaced', invoice_number: 'Replaced' })
    const start = (settings: Record<string, string>) =>
      startCommand(['serve'], {
        DATABASE_URL: connectionUrl(connection),
        PORT: '0',
        LOG_LEVEL: 'error',
        ...settings,
      })
    const urlOf = async (command: ReturnType<typeof start>) =>
      (await command.waitFor(/API at (http:\/\/\S+)\/api/))[1] ?? ''
    const [both, onlyNew] = [
      start({ APP_SECRET: 'a new secret of forty or so characters', APP_SECRET_PREVIOUS: SECRET }),
      start({ APP_SECRET: 'a new secret of forty or so characters' }),
    ]
    const [bothUrl, onlyNewUrl] = [await urlOf(both), await urlOf(onlyNew)]
    expect((await fetch(`${bothUrl}/i/${token}`)).status).toBe(200)
    expect((await fetch(`${onlyNewUrl}/i/${token}`)).status).toBe(404)
    const read = await fetch(`${bothUrl}/api/invoice/book_replaced`, { headers: { 'x-api-key': KEY } })
    const { invoiceUrls } = (await read.json()) as { invoiceUrls: string[] }
    expect(invoiceUrls[0]).toMatch(new RegExp(`^${bothUrl}/i/[\\w-]+$`))
    expect(invoiceUrls[0]).not.toContain(token)
    for (const url of [bothUrl, onlyNewUrl]) {
      const page = await fetch((invoiceUrls[0] ?? '').replace(bothUrl, url))
      expect([page.status, (await page.text()).includes('Replaced')]).toEqual([200, true])
    }
    // A key pair of the old secret does not open links of the new one.
    expect((await open((invoiceUrls[0] ?? '').replace(`${bothUrl}/i/`, ''))).status).toBe(404)
  })
})
