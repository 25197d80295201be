import { describe, expect, it } from 'vitest'
import { createFormTokens } from './form-token.ts'
import { createInvoiceTokens } from './invoice-token.ts'

const form = { companyId: 'co', formId: 'form "1"', bookingId: 'booking' }
const tokens = createFormTokens('a-secret-of-some-length')
const token = tokens.seal(form)

describe('form tokens', () => {
  it('FM11: open, also after the secret is replaced', () => {
    expect(tokens.open(token)).toEqual(form)
    expect(createFormTokens('new', 'a-secret-of-some-length').open(token)).toEqual(form)
    expect(tokens.seal(form)).toBe(token)
  })

  it('FM11: do not open as tokens of invoices, and vice versa', () => {
    const invoices = createInvoiceTokens('a-secret-of-some-length')
    expect(invoices.open(token)).toBeNull()
    expect(tokens.open(invoices.seal({ companyId: 'co', invoiceId: 'invoice' }))).toBeNull()
  })

  it.each(['', 'x', token.slice(1), `${token}A`, token.toLowerCase()])('FM11: rejects %s', (text) => {
    expect(tokens.open(text)).toBeNull()
  })
})
