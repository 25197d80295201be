import { describe, expect, it } from 'vitest'
import { createLogAllowance } from './log-allowance.ts'

/** The number of requests of `times` that are logged. */
function count(allows: () => boolean, times: number): number {
  let kept = 0
  for (let i = 0; i < times; i++) if (allows()) kept++
  return kept
}

describe('createLogAllowance', () => {
  it('allows 25 errors of a company per second, or 15 successful requests', () => {
    const allowance = createLogAllowance()
    expect(count(() => allowance('a', true, 5_000), 100)).toBe(25)
    expect(count(() => allowance('b', false, 5_000), 100)).toBe(15)
  })

  it('prefers errors: successful requests leave ten entries for errors, errors leave none', () => {
    const allowance = createLogAllowance()
    expect(count(() => allowance('a', false, 5_000), 100)).toBe(15)
    expect(count(() => allowance('a', true, 5_000), 100)).toBe(10)
    expect(count(() => allowance('b', true, 5_000), 15)).toBe(15)
    expect(count(() => allowance('b', false, 5_000), 100)).toBe(0)
  })

  it('allows 200 errors of a process per second, or 120 successful requests, across companies', () => {
    const allowance = createLogAllowance()
    let company = 0
    expect(count(() => allowance(`c${company++}`, false, 5_000), 1_000)).toBe(120)
    expect(count(() => allowance(`c${company++}`, true, 5_000), 1_000)).toBe(80)
    expect(allowance('another', true, 5_999)).toBe(false)
  })

  it('resets every second', () => {
    const allowance = createLogAllowance()
    expect(count(() => allowance('a', true, 5_999), 100)).toBe(25)
    expect(count(() => allowance('a', true, 6_000), 100)).toBe(25)
    for (let i = 0; i < 7; i++) expect(count(() => allowance(`c${i}`, true, 6_999), 100)).toBe(25)
    expect(allowance('b', true, 6_999)).toBe(false)
    expect(allowance('b', true, 7_000)).toBe(true)
  })
})
