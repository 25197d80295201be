/** API keys. Their format is easy to recognize for people and secret scanners. We store only the hash. */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'eqs_'
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 34
const CHECKSUM_CHARACTERS = 6

/** `eqs_`, 34 random characters and 6 of checksum: about 202 bits of entropy. */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE_62[randomInt(62)]).join('')
  return PREFIX + random + checksum(random)
}

/** Whether the text can be a key. Imported keys are any 8 to 200 visible ASCII characters. */
export function isPossibleApiKey(text: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(text)
}

/** Matches a generated key anywhere in a text. */
const GENERATED_KEY = /eqs_[0-9A-Za-z]{40}/

/** Whether the text contains a generated key. Such a text must not be logged or shown. */
export function holdsApiKey(text: string): boolean {
  return text.search(GENERATED_KEY) !== -1
}

/** The visible part of a key, to tell keys apart. 30 random characters stay hidden. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, PREFIX.length + 4)
}

export function hashApiKey(key: string): string {
  return hash('sha256', key)
}

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = BASE_62.charAt(value % 62) + digits
    value = Math.floor(value / 62)
  }
  return digits
}
