/** Passwords of console users. We store only the scrypt hash. */
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { countCodePoints, isStorableText } from '../ids.ts'
import { createLimiter } from '../requests/limiter.ts'

interface Parameters {
  /** The logarithm of N: a hash takes 2^ln KiB of memory with r = 8. */
  ln: number
  r: number
  p: number
}

interface ReadHash extends Parameters {
  salt: Buffer
  key: Buffer
}

const PARAMETERS: Parameters = { ln: 15, r: 8, p: 3 }
const SALT_BYTES = 16
const KEY_BYTES = 32
const MIN_CODE_POINTS = 8
const MAX_CODE_POINTS = 200

/** Imported hashes may be a little weaker or stronger than ours, within limits of time and memory. */
const HASH = /^\$scrypt\$ln=(1[4-7]),r=(8),p=([1-4])\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** Without characters that look alike. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Each hash takes 32 MiB: a burst of sign-ins must not use up the memory or the thread pool. */
const limitHashing = createLimiter(2)

/** A hash that no password matches. */
export const DUMMY_HASH = dummyHash(PARAMETERS)

/** The work of one of our hashes. Time is proportional to N and p. */
export const STANDARD_WORK = workOf(PARAMETERS)
/** The work of the cheapest hash. All others are multiples of it. */
const LEAST_WORK = workOf({ ln: 14, r: 8, p: 1 })

/** Why this password is not allowed, or null. */
export function passwordProblem(password: string): string | null {
  const length = countCodePoints(password)
  if (length < MIN_CODE_POINTS || length > MAX_CODE_POINTS)
    return `must have ${MIN_CODE_POINTS} to ${MAX_CODE_POINTS} characters`
  if (password.trim() === '') return 'must not be blank'
  return isStorableText(password) ? null : 'must not have NUL characters or lone surrogates'
}

/** Four groups of five: about 99 bits of entropy. */
export function generatePassword(): string {
  const characters = Array.from({ length: 20 }, () => READABLE[randomInt(READABLE.length)]).join('')
  return characters.replaceAll(/.{5}(?!$)/g, '$&-')
}

export function isPasswordHash(text: string): boolean {
  return readHash(text) !== null
}

/** `$scrypt$ln=15,r=8,p=3$salt$hash`, the last two in base64 without padding. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return writeHash({ ...PARAMETERS, salt, key: await deriveKey(password, salt, PARAMETERS) })
}

/** False also if the text is not a hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const expected = readHash(hash)
  if (expected === null) return false
  return timingSafeEqual(await deriveKey(password, expected.salt, expected), expected.key)
}

/** The work of a comparison with this hash. 0 if the text is not a hash. */
export function comparisonWork(hash: string): number {
  const read = readHash(hash)
  return read === null ? 0 : workOf(read)
}

/** Compares with dummy hashes until this much work is done, so that all failures take equally long. */
export async function wasteWork(password: string, work: number): Promise<void> {
  for (let left = work; left >= LEAST_WORK;) {
    const parameters = largestWithin(left)
    await verifyPassword(password, dummyHash(parameters))
    left -= workOf(parameters)
  }
}

function largestWithin(work: number): Parameters {
  const p = Math.min(PARAMETERS.p, Math.floor(work / 2 ** PARAMETERS.ln))
  return p > 0 ? { ...PARAMETERS, p } : { ln: 14, r: 8, p: 1 }
}

function workOf({ ln, p }: Parameters): number {
  return 2 ** ln * p
}

function dummyHash(parameters: Parameters): string {
  return writeHash({ ...parameters, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) })
}

/** Normalized: the same password can be typed as one character or as a letter and an accent. */
function deriveKey(password: string, salt: Buffer, { ln, r, p }: Parameters): Promise<Buffer> {
  const N = 2 ** ln
  const maxmem = 128 * r * (N + p + 2)
  return limitHashing(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem }, (error, key) =>
          error === null ? resolve(key) : reject(error),
        )
      }),
  )
}

function readHash(text: string): ReadHash | null {
  const [, ln, r, p, salt = '', key = ''] = HASH.exec(text) ?? []
  if (ln === undefined) return null
  const read = {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
  // The last base64 character has unused bits. Only the canonical spelling is accepted.
  return writeHash(read) === text ? read : null
}

function writeHash({ ln, r, p, salt, key }: ReadHash): string {
  const [saltText, keyText] = [salt, key].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$scrypt$ln=${ln},r=${r},p=${p}$${saltText}$${keyText}`
}
