/** JSON that is ready to be sent. */
import { ApiError } from './errors.ts'

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

/**
 * The longest answer. Objects inside objects multiply: a booking of a thousand events, each with its booking and the
 * events of that, is a million events. It is refused before it takes memory.
 */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024

export function jsonArray(elements: readonly Json[]): Json {
  return `[${elements.join(',')}]` as Json
}

/** The parameter is the one to change. */
export function refuseBeyondMax(bytes: number, param: 'expand' | 'limit'): void {
  if (bytes <= ANSWER_MAX_BYTES) return
  const message =
    'The answer would be larger than 32 MiB. Expand less, or ask for fewer objects at once with a smaller limit.'
  throw new ApiError('invalid_parameter', { message, param })
}

/**
 * The object with more members, put together at once: to add to a text that was put together before would copy it. Their
 * names are ours, with nothing in them to escape.
 */
export function withMembers(object: Json, members: readonly (readonly [name: string, value: Json])[]): Json {
  if (members.length === 0) return object
  let text = object.slice(0, -1)
  for (const [name, value] of members) text += `,"${name}":${value}`
  return `${text}}` as Json
}

export function jsonBytes(json: Json): Buffer {
  return Buffer.from(json, 'latin1')
}
