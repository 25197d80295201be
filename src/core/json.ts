/**
 * Ready JSON, as a text of its bytes in UTF-8, one character each. Such texts are joined as fast as any, an object that
 * stands in many places is written once, and the whole is sent without being encoded: as characters, one name beyond
 * Latin-1 would make the text of the whole page twice as large, and everything done with it twice as slow.
 */
export type Json = string & { readonly isJson: true }

const BEYOND_ASCII = /[^\0-\x7F]/

export function toJson(value: object): Json {
  const text = JSON.stringify(value)
  return (BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text) as Json
}

export const NULL = 'null' as Json

export function jsonArray(elements: readonly Json[]): Json {
  return `[${elements.join(',')}]` as Json
}

/** The object with one more member; the name is one of ours, with nothing in it to escape. */
export function withMember(object: Json, name: string, value: Json): Json {
  return `${object.slice(0, -1)},"${name}":${value}}` as Json
}

export function jsonBytes(json: Json): Buffer {
  return Buffer.from(json, 'latin1')
}
