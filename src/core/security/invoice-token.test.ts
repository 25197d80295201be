import * as fc from 'fast-check'
import { createHmac, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createInvoiceTokens } from './invoice-token.ts'

const SECRET = 'a secret'
const INVOICE = { companyId: 'co_1', invoiceId: 'inv_1' }

const anyId = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const anyInvoice = fc.record({ companyId: anyId, invoiceId: anyId })

function check<T>(arbitrary: fc.Arbitrary<T>, assertion: (value: T) => void): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      assertion(value)
    }),
  )
}

describe('L9: invoice tokens', () => {
  it('open again for any ids', () => {
    const tokens = createInvoiceTokens(SECRET)
    check(anyInvoice, (invoice) => expect(tokens.open(tokens.seal(invoice))).toEqual(invoice))
  })

  it('are the same at every read and in every process with the secret', () => {
    const tokens = createInvoiceTokens(SECRET)
    expect(tokens.seal(INVOICE)).toBe(tokens.seal({ ...INVOICE }))
    expect(createInvoiceTokens(SECRET).seal(INVOICE)).toBe(tokens.seal(INVOICE))
    expect(createInvoiceTokens(SECRET).open(tokens.seal(INVOICE))).toEqual(INVOICE)
  })

  it('are the same in every release, so that links keep working', () => {
    expect(createInvoiceTokens(SECRET).seal(INVOICE)).toBe('yGtiyalkK90s7f82kcYmUd4Ypw21vMrT147umKf5bw4')
  })

  it('do not depend on other tokens, which all differ', () => {
    const tokens = createInvoiceTokens(SECRET)
    const first = tokens.seal(INVOICE)
    const others = Array.from({ length: 10_001 }, (_, i) =>
      tokens.seal({ companyId: 'co_1', invoiceId: `inv_${i + 2}` }),
    )
    expect(new Set([first, ...others]).size).toBe(10_002)
    expect(tokens.seal(INVOICE)).toBe(first)
    expect(tokens.open(others[10_000] ?? '')).toEqual({ companyId: 'co_1', invoiceId: 'inv_10002' })
  })

  it('do not open if the content is empty, even with the right keys', () => {
    const keys = Buffer.from(hkdfSync('sha256', SECRET, '', 'event-quoting-service invoice token', 64))
    const ofNothing = createHmac('sha256', keys.subarray(0, 32)).digest().subarray(0, 16)
    expect(createInvoiceTokens(SECRET).open(ofNothing.toString('base64url'))).toBeNull()
  })

  it('fit into a path without encoding', () => {
    const tokens = createInvoiceTokens(SECRET)
    check(anyInvoice, (invoice) => expect(tokens.seal(invoice)).toMatch(/^[\w-]+$/))
  })

  it('differ between invoices, also if the joined ids are equal', () => {
    const tokens = createInvoiceTokens(SECRET)
    const pairs = [
      ['a', 'bc'],
      ['ab', 'c'],
      ['a","b', 'c'],
      ['a', 'b","c'],
      ['co_1', 'inv_1'],
      ['inv_1', 'co_1'],
    ]
    const sealed = pairs.map(([companyId = '', invoiceId = '']) => tokens.seal({ companyId, invoiceId }))
    expect(new Set(sealed).size).toBe(pairs.length)
  })

  it('reveal neither id', () => {
    const tokens = createInvoiceTokens(SECRET)
    const decoded = Buffer.from(tokens.seal(INVOICE), 'base64url').toString('latin1')
    expect(decoded).not.toContain('co_1')
    expect(decoded).not.toContain('inv_1')
    // Nor a common prefix of two contents: no key stream is used twice.
    const [first, second] = ['inv_1', 'inv_2'].map((invoiceId) =>
      tokens.seal({ companyId: 'co_1', invoiceId }),
    )
    expect(first?.slice(0, 8)).not.toBe(second?.slice(0, 8))
    expect(first?.slice(24, 30)).not.toBe(second?.slice(24, 30))
  })

  it('do not open with another secret', () => {
    const tokens = createInvoiceTokens(SECRET)
    expect(createInvoiceTokens('another secret').open(tokens.seal(INVOICE))).toBeNull()
    expect(createInvoiceTokens('another secret').seal(INVOICE)).not.toBe(tokens.seal(INVOICE))
  })

  it('open after the secret is replaced, and new ones use the new secret', () => {
    const tokens = createInvoiceTokens(SECRET)
    const replaced = createInvoiceTokens('a new secret', SECRET)
    expect(replaced.open(tokens.seal(INVOICE))).toEqual(INVOICE)
    expect(replaced.seal(INVOICE)).toBe(createInvoiceTokens('a new secret').seal(INVOICE))
    expect(replaced.open(replaced.seal(INVOICE))).toEqual(INVOICE)
    expect(createInvoiceTokens('a new secret').open(tokens.seal(INVOICE))).toBeNull()
  })

  it('do not open with one character changed, removed or added', () => {
    const tokens = createInvoiceTokens(SECRET)
    const token = tokens.seal(INVOICE)
    const changed = Array.from({ length: token.length }, (_, i) => [
      ...['A', 'B', '_', '-', '=', '+', '/', ' ', '.', ''].map(
        (other) => token.slice(0, i) + other + token.slice(i + 1),
      ),
      ...['A', '_', '=', ' ', '\n'].map((other) => token.slice(0, i) + other + token.slice(i)),
      token.slice(0, i),
      token.slice(i + 1),
    ]).flat()
    for (const added of ['=', '==', 'A', '\n', ' ']) changed.push(token + added)
    const others = changed.filter((text) => text !== token)
    expect(others.length).toBeGreaterThan(500)
    expect(others.filter((text) => tokens.open(text) !== null)).toEqual([])
  })

  it('do not open for any other text, without an exception', () => {
    const tokens = createInvoiceTokens(SECRET)
    const text = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    )
    check(text, (token) => expect(tokens.open(token)).toBeNull())
  })
})
