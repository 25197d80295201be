import { describe, expect, it } from 'vitest'
import { createLargePages } from './large-pages.ts'

describe('large pages', () => {
  it('are read one at a time, alternating between companies', async () => {
    const pages = createLargePages()
    const read: string[] = []
    let active = 0
    const request = (companyId: string, name: string) =>
      pages.run(companyId, async () => {
        expect(++active).toBe(1)
        read.push(name)
        await new Promise(setImmediate)
        active--
      })
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => request(name.slice(0, 1), name))
    expect(pages.counts()).toEqual({ active: 1, waiting: 5 })
    await Promise.all(all)
    expect(read).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    expect(pages.counts()).toEqual({ active: 0, waiting: 0 })
  })

  it('of a company are read after one of them failed', async () => {
    const pages = createLargePages()
    const failed = pages.run('a', () => Promise.reject(new Error('no')))
    const next = pages.run('a', () => Promise.resolve('read'))
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('read')
  })
})
