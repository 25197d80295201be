import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { busyRange, groupBusy, isSameRange, rangeProblem } from './busy.ts'
import type { AssignmentRow } from './busy.ts'
import { parseDateTime } from './datetime.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)
const DAY_MS = 86_400_000
const time = fc
  .integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 0, 3) })
  .map((ms) => new Date(ms).toISOString())
const event = fc.record({
  serviceStartTime: time,
  serviceEndTime: time,
  shiftStartTime: fc.option(time),
  shiftEndTime: fc.option(time),
})

describe('busyRange', () => {
  it('is the shift, or the service time if the shift is not set, if it ends after it starts', () => {
    fc.assert(
      fc.property(event, (times) => {
        const range = busyRange(times)
        const start = Date.parse(times.shiftStartTime ?? times.serviceStartTime)
        const end = Date.parse(times.shiftEndTime ?? times.serviceEndTime)
        expect(range === null ? null : [Date.parse(range.from), Date.parse(range.to)]).toEqual(
          end > start ? [start, end] : null,
        )
      }),
      { numRuns },
    )
  })

  it('does not depend on the service if the shift is complete', () => {
    fc.assert(
      fc.property(event, time, time, time, (times, shiftStartTime, shiftEndTime, serviceStartTime) => {
        const before = { ...times, shiftStartTime, shiftEndTime }
        const range = busyRange({ ...before, serviceStartTime })
        expect(isSameRange(busyRange(before), range)).toBe(true)
      }),
      { numRuns },
    )
  })
})

describe('isSameRange', () => {
  it.each([
    [null, null, true],
    [null, { from: 'a', to: 'b' }, false],
    [{ from: 'a', to: 'b' }, { from: 'a', to: 'b' }, true],
    [{ from: 'a', to: 'b' }, { from: 'a', to: 'c' }, false],
    [{ from: 'a', to: 'c' }, { from: 'b', to: 'c' }, false],
  ])('of %j and %j is %j', (a, b, isSame) => {
    expect(isSameRange(a, b)).toBe(isSame)
  })
})

describe('rangeProblem', () => {
  const at = (ms: number, micros = 0) =>
    `${new Date(ms).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`

  it('is null exactly for ranges of up to 31 days', () => {
    const micros = fc.integer({ min: 0, max: 999 })
    const length = fc.oneof(
      fc.integer({ min: -DAY_MS, max: 40 * DAY_MS }),
      fc.constantFrom(0, 1, 31 * DAY_MS - 1, 31 * DAY_MS, 31 * DAY_MS + 1),
    )
    fc.assert(
      fc.property(length, micros, micros, (ms, first, second) => {
        const start = Date.UTC(2026, 4)
        const total = BigInt(ms) * 1000n + BigInt(second - first)
        const isValid = total > 0n && total <= BigInt(31 * DAY_MS) * 1000n
        expect(rangeProblem(at(start, first), at(start + ms, second)) === null).toBe(isValid)
      }),
      { numRuns },
    )
  })

  it('accepts times as datetime.ts returns them', () => {
    const from = parseDateTime('2026-05-01T00:00Z') ?? ''
    expect(rangeProblem(from, parseDateTime('2026-06-01T02:00+02:00') ?? '')).toBeNull()
    expect(rangeProblem(from, from)).toMatch('after from')
    expect(rangeProblem(from, parseDateTime('2026-06-01T00:00:00.000001Z') ?? '')).toMatch('31 days')
  })
})

describe('groupBusy', () => {
  it('keeps every assignee and every assignment in order', () => {
    const assignee = fc.record({
      id: fc.string({ minLength: 1 }),
      busy: fc.array(fc.record({ eventId: fc.string(), from: time, to: time }), { maxLength: 4 }),
    })
    const list = fc.uniqueArray(assignee, { selector: ({ id }) => id, maxLength: 8 })
    fc.assert(
      fc.property(list, list, (staff, resources) => {
        const rowsOf = (kind: 'staff' | 'resource', all: typeof staff): AssignmentRow[] =>
          all.flatMap(({ id, busy }): AssignmentRow[] =>
            busy.length === 0
              ? [{ kind, id, eventId: null, from: null, to: null }]
              : busy.map((one) => ({ kind, id, ...one })),
          )
        const rows = [...rowsOf('resource', resources), ...rowsOf('staff', staff)]
        expect(groupBusy(rows)).toEqual({ staff, resources })
      }),
      { numRuns },
    )
  })
})
