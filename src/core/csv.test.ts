import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRow, withoutMark } from './csv.ts'

/** Texts that often contain special characters. */
const text = fc.string({
  unit: fc.oneof(fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', 'a'), fc.string()),
  maxLength: 8,
})

const read = (file: string): string[] => {
  const options = { bom: true, relax_quotes: false, record_delimiter: '\r\n' }
  return parse(file, options).flat()
}

describe('CSV files', () => {
  it.each(['=1', '+1', '-1', '@a', '\ta', '\ra', '\na', "'=1", "''\n"])('marks %j as text', (value) => {
    expect(csvRow([value])).toBe(`"'${value}"\r\n`)
  })

  it.each(["'s Hertogenbosch", 'a=1', "'", ''])('leaves %j unchanged', (value) => {
    expect(csvRow([value])).toBe(`"${value}"\r\n`)
  })

  it('no cell begins like a formula, and reading returns each original value', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        const stored = read(csvRow(cells))
        expect(stored.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])
        expect(stored.map(withoutMark)).toEqual(cells)
      }),
    )
  })
})
