import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prefersHtml } from './accept.ts'

describe('prefersHtml', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/html', true],
    ['TEXT/HTML', true],
    ['text/*', true],
    ['text/html, application/json;q=0.9', true],
    ['text/html;q=0.2, application/json;q=0.1', true],
    ['*/*', false],
    [undefined, false],
    ['', false],
    ['application/json', false],
    ['application/json, text/plain, */*', false],
    ['text/html, application/json', false],
    ['text/html;q=0.5, application/json', false],
    ['text/html;q=0', false],
    ['text/html;q=0, */*', false],
    ['text/html;q=x', false],
    ['image/png', false],
    [',;q=1,;;', false],
    [`text/html${' '.repeat(1_000)}`, false],
  ])('for %s is %s', (accept, prefers) => {
    expect(prefersHtml(accept)).toBe(prefers)
  })

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(prefersHtml(`${text},*/*,text/html;q=0`)).toBe(false)
      }),
    )
  })
})
