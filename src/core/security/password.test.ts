import { createHook } from 'node:async_hooks'
import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  DUMMY_HASH,
  STANDARD_WORK,
  comparisonWork,
  generatePassword,
  hashPassword,
  isPasswordHash,
  passwordProblem,
  verifyPassword,
  wasteWork,
} from './password.ts'

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** A hash created without the code under test. */
function hashOf(password: string): string {
  const salt = Buffer.from('sixteen bytes ab')
  const key = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 })
  return `$scrypt$ln=14,r=8,p=1$${unpadded(salt)}$${unpadded(key)}`
}

const [SALT, KEY] = ['A'.repeat(22), 'A'.repeat(43)]
const CHEAP = `$scrypt$ln=14,r=8,p=1$${SALT}$${KEY}`

// Composed, with a ligature. Created once, because hashing is slow on purpose.
const COMPOSED = 'caf\u00e9 \ufb01ne \u00bd'
const hash = await hashPassword(COMPOSED)

describe('the hash of a password', () => {
  it('has its parameters, a new salt each time, and fits no other password', async () => {
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(isPasswordHash(hash)).toBe(true)
    expect(await hashPassword(COMPOSED)).not.toBe(hash)
    const cheap = hashOf('correct horse battery')
    for (const other of ['correct horse batterY', '']) expect(await verifyPassword(other, cheap)).toBe(false)
  })

  it('is scrypt with the parameters in the text', async () => {
    // Calculated with Python's hashlib.scrypt.
    const cheap = '$scrypt$ln=14,r=8,p=1$c2l4dGVlbiBieXRlcyBhYg$0naV865HC06F0uQy7aMpxx2hhpoMHyV1Ywdylm6jDbY'
    const parallel =
      '$scrypt$ln=14,r=8,p=4$c2l4dGVlbiBieXRlcyBhYg$jC41f1LdCve2761PXc7+VQmAWvDkX0FDf5u+d3nky38'
    const large = '$scrypt$ln=17,r=8,p=1$c2l4dGVlbiBieXRlcyBhYg$KpWEHtQdYHUYAOmM+0niFNx2oxuoNfLg3ZZ2VI9PpSw'
    for (const other of [cheap, parallel, large]) expect(await verifyPassword('pässword', other)).toBe(true)
    expect(await verifyPassword('pässword', cheap.replace('ln=14', 'ln=15'))).toBe(false)
    expect(await verifyPassword('pässword', cheap.replace('p=1', 'p=2'))).toBe(false)
  })

  it('is the same for composed and decomposed characters (NFKC)', async () => {
    const decomposed = 'cafe\u0301 fine 1\u20442'
    expect(await verifyPassword(decomposed, hash)).toBe(true)
    const normalized = hashOf(COMPOSED.normalize('NFKC'))
    for (const typed of [COMPOSED, decomposed]) expect(await verifyPassword(typed, normalized)).toBe(true)
  })

  it.each([
    ['an empty text', ''],
    ['a password', 'correct horse battery'],
    ['another algorithm', `$argon2id$v=19$m=65536,t=3,p=4$${SALT}$${KEY}`],
    ['too cheap', `$scrypt$ln=13,r=8,p=1$${SALT}$${KEY}`],
    ['too expensive', `$scrypt$ln=18,r=8,p=1$${SALT}$${KEY}`],
    ['another r', `$scrypt$ln=15,r=16,p=3$${SALT}$${KEY}`],
    ['p of 0', `$scrypt$ln=15,r=8,p=0$${SALT}$${KEY}`],
    ['p of 5', `$scrypt$ln=15,r=8,p=5$${SALT}$${KEY}`],
    ['a number with a zero before it', `$scrypt$ln=015,r=8,p=3$${SALT}$${KEY}`],
    ['a short salt', `$scrypt$ln=15,r=8,p=3$${SALT.slice(1)}$${KEY}`],
    ['a long key', `$scrypt$ln=15,r=8,p=3$${SALT}$${KEY}A`],
    ['padding', `$scrypt$ln=15,r=8,p=3$${SALT}==$${KEY}=`],
    ['the alphabet of URLs', `$scrypt$ln=15,r=8,p=3$${SALT.slice(1)}-$${KEY}`],
    ['unused bits in the salt', `$scrypt$ln=15,r=8,p=3$${SALT.slice(1)}B$${KEY}`],
    ['unused bits in the key', `$scrypt$ln=15,r=8,p=3$${SALT}$${KEY.slice(1)}B`],
    ['a line break after it', `$scrypt$ln=15,r=8,p=3$${SALT}$${KEY}\n`],
    ['a space before it', ` $scrypt$ln=15,r=8,p=3$${SALT}$${KEY}`],
  ])('is not %s, and then fits no password', async (_, text) => {
    expect(isPasswordHash(text)).toBe(false)
    expect(await verifyPassword('correct horse battery', text)).toBe(false)
  })

  it('of an unknown user has the same parameters and matches no password', async () => {
    const parameters = (text: string) => text.split('$').slice(0, 3)
    expect(isPasswordHash(DUMMY_HASH)).toBe(true)
    expect(parameters(DUMMY_HASH)).toEqual(parameters(hash))
    expect(await verifyPassword('', DUMMY_HASH)).toBe(false)
  })

  it('is calculated at most twice at once', async () => {
    const cheap = hashOf('pässword')
    const underWay = new Set<number>()
    let most = 0
    const hook = createHook({
      init: (id, type) => {
        if (type !== 'SCRYPTREQUEST') return
        underWay.add(id)
        most = Math.max(most, underWay.size)
      },
      before: (id) => underWay.delete(id),
    }).enable()
    const results = await Promise.all(Array.from({ length: 7 }, () => verifyPassword('pässword', cheap)))
    hook.disable()
    expect(results).toEqual(Array(7).fill(true))
    expect(most).toBe(2)
  })
})

describe('wasted work', () => {
  /** How many hashes it takes. */
  async function countHashes(work: number): Promise<number> {
    let count = 0
    const hook = createHook({ init: (_id, type) => void (type === 'SCRYPTREQUEST' && count++) }).enable()
    await wasteWork('pässword', work)
    hook.disable()
    return count
  }

  it('is that of the missing hashes', async () => {
    expect(comparisonWork(DUMMY_HASH)).toBe(STANDARD_WORK)
    expect(await countHashes(2 * STANDARD_WORK)).toBe(2)
    expect(await countHashes(0)).toBe(0)
    expect(await countHashes(-STANDARD_WORK)).toBe(0)
  })

  it('compensates for hashes with other parameters', async () => {
    expect(comparisonWork(CHEAP)).toBe(STANDARD_WORK / 6)
    expect(comparisonWork(`$scrypt$ln=15,r=8,p=4$${SALT}$${KEY}`)).toBe((STANDARD_WORK * 4) / 3)
    expect(comparisonWork('no hash')).toBe(0)
    // Two thirds and a sixth.
    expect(await countHashes(STANDARD_WORK - comparisonWork(CHEAP))).toBe(2)
  })
})

describe('a password', () => {
  it('has 8 to 200 characters of any kind', () => {
    const good = ['12345678', 'x'.repeat(200), '🙂'.repeat(8), '🙂'.repeat(200), ' padded 1', 'é'.repeat(8)]
    for (const password of good) expect(passwordProblem(password)).toBeNull()
  })

  it.each([
    ['', 'must have 8 to 200 characters'],
    ['1234567', 'must have 8 to 200 characters'],
    ['🙂'.repeat(7), 'must have 8 to 200 characters'],
    ['x'.repeat(201), 'must have 8 to 200 characters'],
    [' '.repeat(8), 'must not be blank'],
    ['\u00a0\t'.repeat(8), 'must not be blank'],
    ['1234567\0', 'must not have NUL characters or lone surrogates'],
    ['1234567\ud83d', 'must not have NUL characters or lone surrogates'],
  ])('may not be %j: %s', (password, problem) => expect(passwordProblem(password)).toBe(problem))

  it('can be generated: long, readable, always different', () => {
    const generated = Array.from({ length: 200 }, generatePassword)
    expect(new Set(generated).size).toBe(200)
    for (const password of generated) {
      expect(password).toMatch(/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/)
      expect(passwordProblem(password)).toBeNull()
    }
  })
})
