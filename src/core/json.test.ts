import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Json, Member, jsonBytes, memberKey, toJson } from './json.ts'

const anyObject = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 5 })
const named = anyObject.map((members) => ({ object: 'thing', ...members }))

const textOf = (json: Json) => jsonBytes(json).toString()

describe('JSON as a text of its bytes', () => {
  it('is the JSON of any object, encoded as UTF-8', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        expect(textOf(toJson(object))).toBe(JSON.stringify(object))
      }),
    )
  })

  it('has more members, objects, lists or null, after all others', () => {
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

  it('is never sent with bytes that nobody wrote', () => {
    const elements = [toJson({ a: 1 }), toJson({ b: 2 })]
    const json = new Json('{"object":"list"}', [new Member(memberKey('data'), elements)])
    elements.pop()
    expect(() => jsonBytes(json)).toThrow('an answer is not as long as was counted')
  })

  it('knows its bytes before they are put together', () => {
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
