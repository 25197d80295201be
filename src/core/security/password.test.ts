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

/** A hash made without the code under test. */
function hashOf(password: string, { ln = 14, p = 1 } = {}): string {
  const salt = Buffer.from('sixteen bytes ab')
  const options = { N: 2 ** ln, r: 8, p, maxmem: 256 * 1024 * 1024 }
  return `$scrypt$ln=${ln},r=8,p=${p}$${unpadded(salt)}$${unpadded(scryptSync(password, salt, 32, options))}`
}

const [SALT, KEY] = ['A'.repeat(22), 'A'.repeat(43)]

describe('the hash of a password', () => {
  it('has its parameters, a new salt each time, and fits that password alone', async () => {
    const hash = await hashPassword('correct horse battery')
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(isPasswordHash(hash)).toBe(true)
    expect(await hashPassword('correct horse battery')).not.toBe(hash)
    expect(await verifyPassword('correct horse battery', hash)).toBe(true)
    expect(await verifyPassword('correct horse batterY', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
  })

  it('is scrypt as others calculate it, with the parameters that the text names', async () => {
    expect(await verifyPassword('pässword', hashOf('pässword'))).toBe(true)
    expect(await verifyPassword('pässword', hashOf('pässword', { p: 4 }))).toBe(true)
    expect(await verifyPassword('pässword', hashOf('pässword', { ln: 17 }))).toBe(true)
    expect(await verifyPassword('pässword', hashOf('pässword').replace('ln=14', 'ln=15'))).toBe(false)
    expect(await verifyPassword('pässword', hashOf('pässword').replace('p=1', 'p=2'))).toBe(false)
  })

  it('is the same however the characters were typed (NFKC)', async () => {
    const composed = 'caf\u00e9 ﬁne ½'
    const decomposed = 'cafe\u0301 fine 1\u20442'
    expect(await verifyPassword(decomposed, await hashPassword(composed))).toBe(true)
    expect(await verifyPassword(composed, await hashPassword(decomposed))).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['a password', 'correct horse battery'],
    ['another algorithm', `$argon2id$v=19$m=65536,t=3,p=4$${SALT}$${KEY}`],
    ['too cheap', `$scrypt$ln=13,r=8,p=1$${SALT}$${KEY}`],
    ['too dear', `$scrypt$ln=18,r=8,p=1$${SALT}$${KEY}`],
    ['another r', `$scrypt$ln=15,r=16,p=3$${SALT}$${KEY}`],
    ['p of 0', `$scrypt$ln=15,r=8,p=0$${SALT}$${KEY}`],
    ['p of 5', `$scrypt$ln=15,r=8,p=5$${SALT}$${KEY}`],
    ['a number with a zero before it', `$scrypt$ln=015,r=8,p=3$${SALT}$${KEY}`],
    ['a short salt', `$scrypt$ln=15,r=8,p=3$${SALT.slice(1)}$${KEY}`],
    ['a long key', `$scrypt$ln=15,r=8,p=3$${SALT}$${KEY}A`],
    ['padding', `$scrypt$ln=15,r=8,p=3$${SALT}==$${KEY}=`],
    ['the alphabet of URLs', `$scrypt$ln=15,r=8,p=3$${SALT.slice(1)}-$${KEY}`],
    ['bits that mean nothing, in the salt', `$scrypt$ln=15,r=8,p=3$${SALT.slice(1)}B$${KEY}`],
    ['bits that mean nothing, in the key', `$scrypt$ln=15,r=8,p=3$${SALT}$${KEY.slice(1)}B`],
    ['a line break after it', `$scrypt$ln=15,r=8,p=3$${SALT}$${KEY}\n`],
    ['something before it', ` $scrypt$ln=15,r=8,p=3$${SALT}$${KEY}`],
  ])('is not %s, which fits no password and fails nothing', async (_, text) => {
    expect(isPasswordHash(text)).toBe(false)
    expect(await verifyPassword('correct horse battery', text)).toBe(false)
  })

  it('of an unknown user costs the same parameters and matches nothing', async () => {
    const parameters = (hash: string) => hash.split('$').slice(0, 3)
    expect(isPasswordHash(DUMMY_HASH)).toBe(true)
    expect(parameters(DUMMY_HASH)).toEqual(parameters(await hashPassword('correct horse battery')))
    expect(await verifyPassword('', DUMMY_HASH)).toBe(false)
  })

  it('is never calculated more than twice at once', async () => {
    const hash = hashOf('pässword')
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
    const results = await Promise.all(Array.from({ length: 7 }, () => verifyPassword('pässword', hash)))
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

  it('is that of the hashes that are missing', async () => {
    expect(comparisonWork(DUMMY_HASH)).toBe(STANDARD_WORK)
    expect(await countHashes(2 * STANDARD_WORK)).toBe(2)
    expect(await countHashes(0)).toBe(0)
    expect(await countHashes(-STANDARD_WORK)).toBe(0)
  })

  it('makes up for hashes with other parameters', async () => {
    expect(comparisonWork(hashOf('x'))).toBe(STANDARD_WORK / 6)
    expect(comparisonWork(hashOf('x', { ln: 15, p: 4 }))).toBe((STANDARD_WORK * 4) / 3)
    expect(comparisonWork('no hash')).toBe(0)
    // Two thirds and a sixth.
    expect(await countHashes(STANDARD_WORK - comparisonWork(hashOf('x')))).toBe(2)
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

  it('can be generated: long, readable, never the same', () => {
    const made = Array.from({ length: 200 }, generatePassword)
    expect(new Set(made).size).toBe(200)
    for (const password of made) {
      expect(password).toMatch(/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/)
      expect(passwordProblem(password)).toBeNull()
    }
  })
})
