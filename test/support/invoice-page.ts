/** Invoices and their pages. */
import { createInvoiceTokens } from '../../src/core/security/invoice-token.ts'
import { createOlderApi, plantInvoice } from './older.ts'
import type { Row } from './quotes.ts'
import type { TestServer } from './server.ts'

export const SECRET = 'a secret for tests'

export const { seal } = createInvoiceTokens(SECRET)

export const openAt = (where: TestServer, token: string, headers: Record<string, string> = {}) =>
  where.call(`/i/${token}`, { headers })

/** The visible text: no tags, entities resolved, white space collapsed. */
export function pageText(html: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
}

export async function createInvoicePages() {
  const { pool, connection, server } = await createOlderApi({ appSecrets: [SECRET] })

  let lastId = 0
  /** Creates an issued invoice, and returns the token of its page. */
  async function invoice(row: Row = {}): Promise<string> {
    const id = `inv_${++lastId}`
    await plantInvoice(pool, 'co_1', id, {
      issued_at: '2026-05-20T09:00:00Z',
      invoice_number: `No ${id}`,
      total_cents: 10_000,
      ...row,
    })
    return seal({ companyId: 'co_1', invoiceId: id })
  }

  const open = (token: string, headers: Record<string, string> = {}) => openAt(server, token, headers)
  return { pool, connection, server, invoice, open }
}
