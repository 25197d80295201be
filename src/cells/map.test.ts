import { describe, expect, it } from 'vitest'
import { composeMap, findConflicts, mapText } from './map.ts'

const staying = (...routes: string[]) => routes.map((route) => ({ route, isLeaving: false }))
const leaving = (...routes: string[]) => routes.map((route) => ({ route, isLeaving: true }))

describe('the map of cells', () => {
  it('reports companies and forms that two cells have, except emails and companies that move', () => {
    const cells = [
      { name: 'a', routes: [...staying('f:ask', 'u:1', 'c:1'), ...leaving('c:2')] },
      { name: 'b', routes: staying('f:ask', 'u:1', 'c:2') },
    ]
    expect(findConflicts(cells)).toEqual(['cells a and b both have f:ask; requests for it go to a'])
  })

  it('maps a route to its cell, or to the first if several have it', () => {
    const map = composeMap([
      { name: 'a', routes: staying('k:1', 'u:1') },
      { name: 'b', routes: staying('k:2', 'u:1') },
    ])
    expect(mapText(map)).toBe('k:1 a\nk:2 b\nu:1 a\n')
  })

  it('maps a moving company to the old cell until the new one has it', () => {
    const routes = leaving('c:1', 'k:1')
    const before = composeMap([
      { name: 'a', routes },
      { name: 'b', routes: [] },
    ])
    expect(mapText(before)).toBe('c:1 a\nk:1 a\n')
    const after = composeMap([
      { name: 'a', routes },
      { name: 'b', routes: staying('c:1', 'k:1') },
    ])
    expect(mapText(after)).toBe('c:1 b\nk:1 b\n')
  })
})
