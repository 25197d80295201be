import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonObject, waitToParse } from './json-body.ts'

const read = (text: string, limits?: Parameters<typeof readJsonObject>[2]) =>
  readJsonObject('application/json', Buffer.from(text), limits)
const LONE = { reason: 'the body has a text with half of a surrogate pair' }

/** Every string of a value, including names. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)])
}

describe('L4: escaped surrogates in a body', () => {
  it.each([
    ['a pair', String.raw`"\ud83d\ude00"`],
    ['a pair in upper case', String.raw`"\uD83D\uDE00"`],
    ['two pairs', String.raw`"\ud83d\ude00\ud83d\ude00"`],
    ['an escaped backslash before the letters', String.raw`"\\ud83d"`],
    ['an escaped backslash before a pair', String.raw`"\\\ud83d\ude00"`],
    ['the last character before the surrogates', String.raw`"\ud7ff"`],
    ['the first character after the surrogates', String.raw`"\ue000"`],
    ['a character of four bytes', '"\u{1F600}"'],
  ])('%s is accepted', (_, text) => {
    const body = `{"x":${text}}`
    expect(read(body)).toEqual({ object: JSON.parse(body) as object })
  })

  it.each([
    ['a first half', String.raw`"\ud83d"`],
    ['a second half', String.raw`"\ude00"`],
    ['both in the wrong order', String.raw`"\ude00\ud83d"`],
    ['a first half before another escape', String.raw`"\ud83d\n"`],
    ['a first half before an escaped backslash', String.raw`"\ud83d\\ude00"`],
    ['two first halves and a second one', String.raw`"\ud83d\ud83d\ude00"`],
    ['a first half before a character of four bytes', '"\\ud83d\u{1F600}"'],
    ['a second half after a character of four bytes', '"\u{1F600}\\ude00"'],
    ['a half after an escaped backslash', String.raw`"\\\ud83d"`],
    ['the halves around a NUL', String.raw`"\ud83d\u0000\ude00"`],
    ['the halves in two strings', String.raw`["\ud83d","\ude00"]`],
  ])('%s is rejected', (_, text) => {
    expect(read(`{"x":${text}}`)).toEqual(LONE)
    expect(read(`{"y":[{"z":${text}}]}`)).toEqual(LONE)
  })

  it('are rejected exactly if a parsed text is not well-formed', () => {
    const piece = fc.constantFrom('\\ud83d', '\\ude00', '\\\\', '\\n', 'u', 'd83d', '\u{1F600}', '\\u0000')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 4 }), (value, name) => {
        const body = `{"a":"${value.join('')}","b${name.join('')}":1}`
        const object = JSON.parse(body) as object
        const isLone = textsOf(object).some((text) => !text.isWellFormed())
        expect(read(body)).toEqual(isLone ? LONE : { object })
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('limits of a body', () => {
  const limits = { depth: 3, values: 5 }

  it.each([
    ['the maximum depth', '{"a":{"b":{}}}'],
    ['the maximum number of members', '{"a":1,"b":2,"c":3,"d":4,"e":5}'],
    ['the maximum number of elements', '{"a":[1,2,3,4]}'],
    ['brackets and commas in a text', `{"a":"${'[{,'.repeat(50)}"}`],
    ['brackets and commas after an escaped quotation mark', String.raw`{"a":"\"[[[[{{{{,,,,,,\\"}`],
    ['brackets and commas in a long text with escapes', `{"a":"${String.raw`x\"[[,,`.repeat(50)}"}`],
    ['several arrays at the maximum depth', '{"a":[[],[]]}'],
  ])('accept %s', (_, body) => {
    expect(read(body, limits)).toEqual({ object: JSON.parse(body) as object })
  })

  it.each([
    ['one level more', '{"a":{"b":{"c":{}}}}', 'the body must not be nested more than 3 levels deep'],
    ['one level more in arrays', '{"a":[[[]]]}', 'the body must not be nested more than 3 levels deep'],
    ['one member more', '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', 'the body must not hold more than 5 values'],
    ['one element more', '{"a":[1,2,3,4,5]}', 'the body must not hold more than 5 values'],
    [
      'one level more after a long text',
      `{"a":"${'x'.repeat(200)}","b":[[[]]]}`,
      'the body must not be nested more than 3 levels deep',
    ],
    ['levels that are not closed', '[[[[', 'the body must not be nested more than 3 levels deep'],
  ])('reject %s', (_, body, reason) => {
    expect(read(body, limits)).toEqual({ reason })
    expect(read(body)).not.toEqual({ reason })
  })

  it('match the depth and number of values of any object', () => {
    const members = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, member) => sum + 2 + members(member), 0)
        : 0
    const depth = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (object) => {
        const body = JSON.stringify(object)
        const enough = { depth: depth(object), values: members(object) + 1 }
        expect(read(body, enough)).toEqual(read(body))
        expect(read(body, { ...enough, depth: enough.depth - 1 })).toHaveProperty('reason')
      }),
    )
  })
})

describe('large bodies', () => {
  it('are parsed one per iteration of the event loop in order, small ones immediately', async () => {
    const large = Buffer.alloc(100_000)
    const done: string[] = []
    const wait = async (name: string, bytes: Buffer) => {
      await waitToParse(bytes)
      done.push(name)
    }
    const all = [wait('a', large), wait('b', large), wait('c', large), wait('small', Buffer.alloc(10))]
    const seen: string[][] = []
    while (done.length < all.length) {
      await new Promise((next) => setImmediate(next))
      seen.push([...done])
    }
    await Promise.all(all)
    expect(done).toEqual(['small', 'a', 'b', 'c'])
    expect(new Set(seen.map(({ length }) => length))).toEqual(new Set([2, 3, 4]))
  })
})
