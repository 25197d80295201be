import { describe, expect, it } from 'vitest'
import { reportOf } from '../torture/report.ts'
import type { ItemResult } from '../torture/report.ts'

function resultOf(name: string, seed: number, value: number): ItemResult {
  const figures = [{ name: 'tasks | lost', value, goal: '0', pass: value === 0, detail: 'of 10' }]
  return { name, title: `Title of ${name}`, seed, quick: false, date: '2026-11-15', seconds: 7, figures }
}

const ORDER = ['first', 'second', 'third']
const sectionsIn = (text: string) => [...text.matchAll(/^<!-- item: (.+) -->$/gm)].map(([, name]) => name)

describe('the report of a torture run', () => {
  it('has a section for each item, with date, seed and figures, in the order of the items', () => {
    const text = reportOf('', [resultOf('third', 3, 1), resultOf('first', 1, 0)], ORDER)
    expect(sectionsIn(text)).toEqual(['first', 'third'])
    expect(text).toContain('`first`, 2026-11-15, seed 1, full run of 7 s on ')
    expect(text).toContain(String.raw`| tasks \| lost | 0 | 0 | yes | of 10 |`)
    expect(text).toContain(String.raw`| tasks \| lost | 0 | 1 | **no** | of 10 |`)
  })

  it('keeps the bytes of the sections of items that did not run', () => {
    const before = reportOf('', [resultOf('first', 1, 0), resultOf('second', 1, 0)], ORDER)
    const after = reportOf(before, [resultOf('second', 2, 0), resultOf('third', 2, 0)], ORDER)
    expect(sectionsIn(after)).toEqual(['first', 'second', 'third'])
    const part = before.slice(before.indexOf('<!-- item: first'), before.indexOf('<!-- item: second'))
    expect(after).toContain(part)
    expect(after).not.toContain('`second`, 2026-11-15, seed 1')
    expect(reportOf(after, [], ORDER)).toBe(after)
  })

  it('drops the section of an item that no longer exists', () => {
    const before = reportOf('', [resultOf('first', 1, 0), resultOf('second', 1, 0)], ORDER)
    expect(sectionsIn(reportOf(before, [], ['second']))).toEqual(['second'])
  })
})
