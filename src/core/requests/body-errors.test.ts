import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { firstBodyError } from './body-errors.ts'

const Day = z.strictObject({ start: z.string('must be a string'), end: z.string('must be a string') })
const Body = z.strictObject({
  name: z.string('must be a string'),
  size: z.int('must be an integer').optional(),
  days: z.array(Day, 'must be an array').optional(),
  ids: z.array(z.string('must be a string')).optional(),
})

const errorOf = (body: object) => firstBodyError(body, Body.safeParse(body).error?.issues ?? [])

describe('firstBodyError', () => {
  it.each([
    [{ name: 'a' }, null],
    [{}, { param: 'name', message: 'name is required' }],
    [{ name: 1 }, { param: 'name', message: 'name must be a string' }],
    [{ size: 'a' }, { param: 'size', message: 'size must be an integer' }],
    [
      { size: 'a', name: 1 },
      { param: 'size', message: 'size must be an integer' },
    ],
    [
      { name: 1, size: 'a' },
      { param: 'name', message: 'name must be a string' },
    ],
    [
      { color: 1, name: 1 },
      { param: 'color', message: 'color is not a known member' },
    ],
    [
      { name: 1, color: 1 },
      { param: 'name', message: 'name must be a string' },
    ],
    [
      { name: 'a', y: 1, x: 1 },
      { param: 'y', message: 'y is not a known member' },
    ],
    [
      { ids: ['a', 1], name: 1 },
      { param: 'ids[1]', message: 'ids[1] must be a string' },
    ],
    [
      { name: 'a', days: [{ start: 'a', end: 'b' }, { end: 1 }] },
      { param: 'days[1].end', message: 'days[1].end must be a string' },
    ],
    [
      { days: [{ start: 'a' }], name: 'a' },
      { param: 'days[0].end', message: 'days[0].end is required' },
    ],
    [
      { days: [{ start: 'a' }], size: 'a', name: 'a' },
      { param: 'size', message: 'size must be an integer' },
    ],
  ])('reports the first error of %j', (body, error) => {
    expect(errorOf(body)).toEqual(error)
  })

  it('has no param for an error of the whole body', () => {
    expect(firstBodyError({}, [{ path: [], message: 'Send at least one of a, b.' }])).toEqual({
      param: undefined,
      message: 'Send at least one of a, b.',
    })
  })

  it('reports the first unknown member in any order of members', () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1 }).filter((name) => !/^\d+$|^__proto__$/.test(name)),
    )
    fc.assert(
      fc.property(names, (unknown) => {
        const body = Object.fromEntries(unknown.map((name) => [name, 0]))
        const issues = [{ code: 'unrecognized_keys', path: [], message: '', keys: unknown.toReversed() }]
        expect(firstBodyError(body, issues)?.param).toBe(unknown[0])
      }),
    )
  })
})
