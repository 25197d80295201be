import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Json, Member, boundedJson, jsonBytes, memberKey, toJson } from './json.ts'

const anyObject = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 5 })
const named = anyObject.map((members) => ({ object: 'thing', ...members }))

const textOf = (json: Json) => jsonBytes(json).toString()

describe('jsonBytes', () => {
  it('returns the JSON of any object, encoded as UTF-8', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        expect(textOf(toJson(object))).toBe(JSON.stringify(object))
      }),
    )
  })

  it('writes additional members after all others: objects, lists or null', () => {
    fc.assert(
      fc.property(named, fc.array(named), (object, others) => {
        const inner = new Json(toJson(object).text, [new Member(memberKey('many'), others.map(toJson))])
        const json = new Json(toJson(object).text, [
          new Member(memberKey('many'), [inner, inner]),
          new Member(memberKey('none'), null),
          new Member(memberKey('empty'), []),
          new Member(memberKey('one'), inner),
        ])
        const open = JSON.stringify(object).slice(0, -1)
        const expected = `${open},"many":${JSON.stringify(others)}}`
        expect(textOf(json)).toBe(
          `${open},"many":[${expected},${expected}],"none":null,"empty":[],"one":${expected}}`,
        )
      }),
    )
  })

  it('never contains bytes that were not written', () => {
    const elements = [toJson({ a: 1 }), toJson({ b: 2 })]
    const json = new Json('{"object":"list"}', [new Member(memberKey('data'), elements)])
    elements.pop()
    expect(() => jsonBytes(json)).toThrow('a response does not have the counted length')
  })

  it('returns the counted number of bytes', () => {
    const festival = { name: 'Café 🎪' }
    expect(toJson(festival).bytes).toBe(Buffer.byteLength(JSON.stringify(festival)))
    fc.assert(
      fc.property(named, fc.array(named), (object, others) => {
        const json = new Json(toJson(object).text, [
          new Member(memberKey('many'), others.map(toJson)),
          new Member(memberKey('one'), toJson(object)),
          new Member(memberKey('none'), null),
        ])
        expect(json.bytes).toBe(
          Buffer.byteLength(JSON.stringify({ ...object, many: others, one: object, none: null })),
        )
      }),
    )
  })
})

describe('boundedJson', () => {
  it('returns the JSON of JSON.stringify', () => {
    const withUndefined = { a: undefined, b: [undefined, { c: undefined }], d: { e: [], f: {} } }
    expect(boundedJson(withUndefined).toString()).toBe(JSON.stringify(withUndefined))
    fc.assert(
      fc.property(fc.oneof(anyObject, fc.array(fc.jsonValue())), (object) => {
        expect(boundedJson(object).toString()).toBe(JSON.stringify(object))
      }),
    )
  })

  it('rejects an object above the limit', () => {
    const object = { text: '\u{1F600}' }
    const bytes = Buffer.byteLength(JSON.stringify(object))
    expect(boundedJson(object, bytes).length).toBe(bytes)
    expect(() => boundedJson(object, bytes - 1)).toThrow('The answer would be larger than 32 MiB')
  })

  it('stops at the first part beyond the limit', () => {
    let written = 0
    const record = { toJSON: () => (written++, 'x'.repeat(98)) }
    const list = Array.from({ length: 1_000 }, () => [[record]])
    expect(() => boundedJson(list, 1_000)).toThrow('larger')
    expect(written).toBeLessThan(12)
  })
})
