import { describe, expect, it } from 'vitest'
import { cutToMilliseconds, parseDateTime } from '../core/schedule/datetime.ts'
import { time } from './field-types.ts'

describe('a time in the canonical format', () => {
  // Years with and without February 29, by each of the rules for it.
  it.each(['0000', '0001', '1900', '2000', '2023', '2024', '9999'])(
    'in %s is stored unchanged on existing days, and rejected on others',
    (year) => {
      const two = (n: number) => String(n).padStart(2, '0')
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const given = `${year}-${two(month)}-${two(day)}T23:59:59.999Z`
          const instant = parseDateTime(given)
          const expected = instant === null ? null : cutToMilliseconds(instant)
          expect(time.store(given, 'at', () => undefined)).toBe(expected)
          expect([null, given]).toContain(expected)
        }
      }
    },
  )
})
