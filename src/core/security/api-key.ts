/** API keys: made so that people and scanners recognise one, and known to us by their hash only. */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'eqs_'
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 34
const CHECKSUM_CHARACTERS = 6

/** `eqs_`, 34 random characters and 6 of checksum: about 202 bits of chance. */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE_62[randomInt(62)]).join('')
  return PREFIX + random + checksum(random)
}

/** Whether the text may be a key at all: imported ones are any 8 to 200 visible ASCII characters. */
export function isPossibleApiKey(text: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(text)
}

/** Whatever has the form of a generated key, anywhere in a text. */
const GENERATED_KEY = /eqs_[0-9A-Za-z]{40}/

/** Whether the text holds something in the form of a generated key: such a text must not be logged or shown. */
export function holdsApiKey(text: string): boolean {
  return text.search(GENERATED_KEY) !== -1
}

/** What people may see of a key, to tell it from others: 30 of its random characters stay unknown. */
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
