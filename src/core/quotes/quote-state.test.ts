import { describe, expect, it } from 'vitest'
import { QUOTE_STATES, quoteState } from './quote-state.ts'

const NOW = '2026-05-01T12:00:00.000Z'
const BEFORE = '2026-05-01T11:59:59.999Z'
const AFTER = '2026-05-01T12:00:00.001Z'
const none = { sentAt: null, expiresAt: null, bookedAt: null, lostAt: null }

describe('quoteState', () => {
  it.each([
    ['draft', {}],
    ['draft', { expiresAt: BEFORE }],
    ['sent', { sentAt: BEFORE }],
    ['sent', { sentAt: BEFORE, expiresAt: AFTER }],
    ['expired', { sentAt: BEFORE, expiresAt: NOW }],
    ['expired', { sentAt: BEFORE, expiresAt: BEFORE }],
    ['lost', { sentAt: BEFORE, expiresAt: BEFORE, lostAt: AFTER }],
    ['lost', { lostAt: BEFORE }],
    ['booked', { bookedAt: AFTER }],
    ['booked', { sentAt: BEFORE, expiresAt: BEFORE, lostAt: BEFORE, bookedAt: BEFORE }],
  ])('returns %s for %j', (state, times) => {
    expect(quoteState({ ...none, ...times }, NOW)).toBe(state)
  })

  it('has five states', () => {
    expect(QUOTE_STATES).toEqual(['draft', 'sent', 'booked', 'lost', 'expired'])
  })
})
