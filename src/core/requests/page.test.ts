import { describe, expect, it } from 'vitest'
import { LIMIT_DEFAULT, LIMIT_MAX, takePage } from './page.ts'

describe('R17: pages', () => {
  it('have 10 objects by default and 100 at most', () => {
    expect([LIMIT_DEFAULT, LIMIT_MAX]).toEqual([10, 100])
  })

  it.each([
    [[], 2, [], false],
    [[1], 2, [1], false],
    [[1, 2], 2, [1, 2], false],
    [[1, 2, 3], 2, [1, 2], true],
    [[1, 2], 1, [1], true],
  ])('of rows %j with limit %i have %j and hasMore %s', (rows, limit, page, hasMore) => {
    expect(takePage(rows, limit)).toEqual({ rows: page, hasMore })
  })
})
