import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockAt, instantAt } from './local-time.ts'

const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC']

describe('local times', () => {
  it.each([
    ['2026-06-01', '16:00', 'America/New_York', '2026-06-01T20:00:00.000Z'],
    ['2026-12-01', '16:00', 'America/New_York', '2026-12-01T21:00:00.000Z'],
    ['2026-03-29', '03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-06-01', '00:00', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z'],
  ])('%s %s in %s is %s', (day, time, zone, instant) => {
    expect(instantAt(day, time, zone)).toBe(instant)
  })

  it.each([
    ['', '10:00'],
    ['2026-02-30', '10:00'],
    ['2026-06-01', ''],
    ['2026-06-01', '24:00'],
    ['2026-06-01', '9:30'],
  ])('rejects %s %s', (day, time) => {
    expect(instantAt(day, time, 'UTC')).toBeNull()
  })

  it('survive a conversion to an instant and back, except in a repeated hour', () => {
    const from = Date.parse('2020-01-01T00:00:00Z')
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 5_000_000 }), (zone, minutes) => {
        const iso = new Date(from + minutes * 60_000).toISOString()
        const { day, time } = clockAt(iso, zone)
        const again = instantAt(day, time, zone) ?? ''
        expect(clockAt(again, zone)).toEqual({ day, time })
      }),
    )
  })
})
