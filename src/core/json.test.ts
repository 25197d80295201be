import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NULL, jsonArray, jsonBytes, toJson, withMembers } from './json.ts'

const anyObject = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 5 })
const named = anyObject.map((members) => ({ object: 'thing', ...members }))

const textOf = (json: Parameters<typeof jsonBytes>[0]) => jsonBytes(json).toString()

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
        const members = others.map(toJson)
        const json = withMembers(toJson(object), [
          ['many', jsonArray(members)],
          ['none', NULL],
          ['one', toJson(object)],
        ])
        expect(textOf(json)).toBe(
          `${JSON.stringify(object).slice(0, -1)},"many":${JSON.stringify(others)},"none":null,"one":${JSON.stringify(object)}}`,
        )
      }),
    )
  })

  it('counts one character for each byte', () => {
    expect(toJson({ name: 'Café 🎪' })).toHaveLength(Buffer.byteLength('{"name":"Café 🎪"}'))
  })
})
