import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHANGE_TYPES } from '../change-log/change-types.ts'
import { isTypePattern } from './endpoint-types.ts'
import { describeUrlProblem, hostOf } from './endpoint-url.ts'
import { nextAttempt } from './next-attempt.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const DAY = 86_400
const attempt = { now: NOW, random: 0, retryAfter: undefined }

describe('nextAttempt', () => {
  it('K3: waits as documented after each failure, and stops after the tenth', () => {
    const waits = SECONDS.map((_, i) => nextAttempt({ ...attempt, attempts: i + 1 }))
    expect(waits).toEqual(SECONDS.map((seconds) => seconds * 1_000))
    expect(nextAttempt({ ...attempt, attempts: 10 })).toBeNull()
    expect(nextAttempt({ ...attempt, attempts: 11 })).toBeNull()
  })

  it('K3: adds at most 10 % jitter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, random) => {
          const least = (SECONDS[attempts - 1] ?? 0) * 1_000
          const wait = nextAttempt({ ...attempt, attempts, random }) ?? -1
          expect(wait).toBeGreaterThanOrEqual(least)
          expect(wait).toBeLessThanOrEqual(Math.ceil(least * 1.1))
        },
      ),
    )
  })

  it('K3: waits at least as long as the schedule and retry-after, and at most a day and 10 %', () => {
    const header = fc.oneof(
      fc.integer({ min: 0, max: 10 * DAY }).map(String),
      fc
        .integer({ min: -DAY, max: 10 * DAY })
        .map((seconds) => new Date(NOW + seconds * 1_000).toUTCString()),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        header,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, retryAfter, random) => {
          const wait = nextAttempt({ now: NOW, attempts, retryAfter, random }) ?? -1
          const requested = /^\d+$/.test(retryAfter)
            ? Number(retryAfter)
            : (Date.parse(retryAfter) - NOW) / 1_000
          const isHeader = /^\d+$/.test(retryAfter) || retryAfter.endsWith('GMT')
          const least = Math.max(SECONDS[attempts - 1] ?? 0, isHeader ? Math.min(requested, DAY) : 0)
          expect(wait).toBeGreaterThanOrEqual(least * 1_000)
          expect(wait).toBeLessThanOrEqual(1.1 * DAY * 1_000 + 1)
        },
      ),
    )
  })

  it.each(['soon', '-5', '1.5', '2026-03-02', 'Sun, 99 Foo 2026 99:99:99 GMT', '', ' '])(
    'K3: ignores retry-after %j',
    (retryAfter) => {
      expect(nextAttempt({ ...attempt, attempts: 1, retryAfter })).toBe(5_000)
    },
  )
})

describe('isTypePattern', () => {
  it('K1: accepts every type, its wildcard, and *', () => {
    for (const type of CHANGE_TYPES) {
      expect(isTypePattern(type)).toBe(true)
      expect(isTypePattern(`${type.split('.')[0]}.*`)).toBe(true)
    }
    expect(isTypePattern('*')).toBe(true)
  })

  it.each(['', '**', 'quote', 'quote.', '.*', '*.created', 'quote.**', 'Quote.*', 'user.*', 'quote.burned'])(
    'K1: rejects %j',
    (text) => expect(isTypePattern(text)).toBe(false),
  )
})

describe('describeUrlProblem', () => {
  it.each([
    'http://example.com',
    'https://example.com:8443/a?b=c#d',
    'HTTPS://EXAMPLE.COM/',
    'https://bücher.example/ä',
    'http://[2001:db8::1]:80/',
    `https://example.com/${'a'.repeat(1_980)}`,
  ])('K1: accepts %s', (url) => expect(describeUrlProblem(url)).toBeNull())

  it('K1: never throws, and accepts only URLs that parse', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((rest) => `http://${rest}`),
        ),
        (text) => {
          const isHttp = /^https?:/i.test(text) && URL.canParse(text)
          expect(describeUrlProblem(text) === null && !isHttp).toBe(false)
        },
      ),
    )
  })

  it.each([
    ['http://[::1]/', '::1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['https://EXAMPLE.com/', 'example.com'],
  ])('K6: the host of %s is %s', (url, host) => expect(hostOf(url)).toBe(host))
})
