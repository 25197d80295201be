import { describe, expect, it } from 'vitest'
import { lastMonths, monthEnd } from './months.ts'

describe('the last months', () => {
  it('end with the current month, across years', () => {
    expect(lastMonths('2026-02-14T09:30:00.000Z', 4)).toEqual([
      { name: '2025-11', from: '2025-11-01T00:00:00.000Z' },
      { name: '2025-12', from: '2025-12-01T00:00:00.000Z' },
      { name: '2026-01', from: '2026-01-01T00:00:00.000Z' },
      { name: '2026-02', from: '2026-02-01T00:00:00.000Z' },
    ])
  })

  it('skip no month if the previous month does not have the current day', () => {
    expect(lastMonths('2026-03-31T23:59:59.999Z', 2).map(({ name }) => name)).toEqual(['2026-02', '2026-03'])
  })

  it('begin and end in UTC', () => {
    expect(lastMonths('2026-01-01T00:00:00.000Z', 1)[0]?.name).toBe('2026-01')
    expect(lastMonths('2025-12-31T23:59:59.999Z', 1)[0]?.name).toBe('2025-12')
  })

  it('end at the beginning of the next month', () => {
    expect(monthEnd('2025-12-31T23:59:59.999Z')).toBe('2026-01-01T00:00:00.000Z')
    expect(monthEnd('2024-02-29T12:00:00.000Z')).toBe('2024-03-01T00:00:00.000Z')
  })
})
