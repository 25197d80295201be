/** JSON of a response, assembled from objects that are written once. */
import { ApiError } from '../core/requests/errors.ts'
import { writeBytes } from './json-bytes.ts'

/**
 * The text of an object as bytes in UTF-8, one character each, and the objects inside it. They are combined only when the
 * response is sent: an object that occurs in many places is written once and then copied, without encoding it again. Only
 * this file and public objects create one, because they know that the text consists of bytes.
 */
export class Json {
  // Declared only: an initializer would take as long as the rest of the constructor.
  declare readonly text: string
  declare readonly members: readonly Member[]
  /** Of the object and everything inside it. */
  declare readonly bytes: number

  constructor(text: string, members: readonly Member[] = NONE) {
    this.text = text
    this.members = members
    let bytes = text.length
    for (const member of members) bytes += member.bytes
    this.bytes = bytes
  }
}

const NONE: readonly Member[] = []

export class Member {
  declare readonly key: Uint8Array
  declare readonly value: Json | readonly Json[] | null
  declare readonly bytes: number

  constructor(key: Uint8Array, value: Json | readonly Json[] | null) {
    this.key = key
    this.value = value
    this.bytes = key.length + bytesOf(value)
  }
}

/** Names of members contain nothing to escape. */
export function memberKey(name: string): Uint8Array {
  return Buffer.from(`,"${name}":`)
}

const NULL = Buffer.from('null')

function bytesOf(value: Member['value']): number {
  if (value === null) return NULL.length
  if (value instanceof Json) return value.bytes
  let bytes = '[]'.length + Math.max(value.length - 1, 0)
  for (const element of value) bytes += element.bytes
  return bytes
}

const BEYOND_ASCII = /[^\0-\x7F]/

export function toJson(value: object): Json {
  return jsonOfText(JSON.stringify(value))
}

/** From the JSON text of an object, such as a stored one. */
export function jsonOfText(text: string): Json {
  return new Json(BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text)
}

/**
 * The largest response. Nested objects multiply: a booking with a thousand events, each with its booking and its events, is
 * a million events. It is refused before it takes memory.
 */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024

/** `param` is the parameter that the caller should change. */
export function refuseBeyondMax(bytes: number, param: 'expand' | 'limit'): void {
  if (bytes <= ANSWER_MAX_BYTES) return
  const message =
    'The answer would be larger than 32 MiB. Expand less, or ask for fewer objects at once with a smaller limit.'
  throw new ApiError('invalid_parameter', { message, param })
}

/** Deeper values are small, because the console does not nest lists of records more deeply. */
const PIECE_DEPTH = 3

/**
 * `JSON.stringify` in bytes, for responses that do not consist of `Json`. It works piece by piece and stops at the limit, so
 * a response that is too large is never assembled.
 */
export function boundedJson(value: object, maxBytes = ANSWER_MAX_BYTES): Buffer {
  const pieces: string[] = []
  let characters = 0
  const add = (piece: string) => {
    pieces.push(piece)
    // A character takes at least one byte.
    characters += piece.length
    if (characters > maxBytes) throw tooLarge()
  }
  const addAll = (
    open: string,
    values: Iterable<readonly [string, unknown]>,
    close: string,
    depth: number,
  ) => {
    let separator = open
    for (const [key, member] of values) {
      add(separator + key)
      separator = ','
      addValue(member, depth + 1)
    }
    add(separator === open ? open + close : close)
  }
  const addValue = (member: unknown, depth: number) => {
    if (depth >= PIECE_DEPTH || typeof member !== 'object' || member === null) add(JSON.stringify(member))
    else if (Array.isArray(member))
      addAll(
        '[',
        member.map((element: unknown) => ['', element ?? null] as const),
        ']',
        depth,
      )
    else addAll('{', membersOf(member), '}', depth)
  }
  addValue(value, 0)
  const bytes = Buffer.from(pieces.join(''))
  if (bytes.length > maxBytes) throw tooLarge()
  return bytes
}

function membersOf(object: object): (readonly [key: string, value: unknown])[] {
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [`${JSON.stringify(name)}:`, value] as const)
}

function tooLarge(): ApiError {
  return new ApiError('invalid_parameter', {
    message: 'The answer would be larger than 32 MiB. Ask for fewer objects at once.',
  })
}

export function jsonBytes(json: Json): Buffer {
  const buffer = Buffer.allocUnsafe(json.bytes)
  // Until it is full, it contains whatever was in that memory before, possibly data of another company.
  if (writeObject(json, buffer, 0) !== buffer.length)
    throw new Error('a response does not have the counted length')
  return buffer
}

const COMMA = 0x2c
const OPENING = 0x5b
const CLOSING = 0x5d
const END = 0x7d

/** Each function writes at a position and returns the position after it. */
function writeObject({ text, members }: Json, buffer: Buffer, start: number): number {
  let at = start + buffer.write(text, start, 'latin1')
  if (members.length === 0) return at
  // Overwrites the closing brace.
  at--
  for (const { key, value } of members) {
    at = writeBytes(buffer, at, key)
    if (value === null) at = writeBytes(buffer, at, NULL)
    else at = value instanceof Json ? writeObject(value, buffer, at) : writeArray(value, buffer, at)
  }
  buffer[at] = END
  return at + 1
}

function writeArray(elements: readonly Json[], buffer: Buffer, start: number): number {
  let at = start
  buffer[at++] = OPENING
  for (const element of elements) {
    at = writeObject(element, buffer, at)
    buffer[at++] = COMMA
  }
  // Overwrites the last comma.
  if (elements.length > 0) at--
  buffer[at] = CLOSING
  return at + 1
}
