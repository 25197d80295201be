import { describe, expect, it } from 'vitest'
import { refusalOf } from './quote-actions.ts'
import { clientName } from './quote-booking.ts'

describe('the name of the customer of a booking', () => {
  const lead = { firstName: 'Ada', lastName: 'Noor', companyName: null, email: null }

  it('is the name of the contact', () => {
    expect(clientName(lead)).toBe('Ada Noor')
  })

  it('is null without a contact, or if the contact has no name', () => {
    expect(clientName(null)).toBeNull()
    expect(clientName({ ...lead, firstName: null, lastName: null })).toBeNull()
  })
})

describe('the message for an action that the state does not allow', () => {
  it.each([
    ['edit', 'booked', 'This quote is booked, so it can no longer change.'],
    ['send', 'lost', 'This quote is marked as lost. Reopen it first.'],
    ['book', 'booked', 'This quote is already booked.'],
    ['lose', 'lost', 'This quote is already marked as lost.'],
    ['reopen', 'draft', 'Only a lost quote can be reopened.'],
    ['reopen', 'sent', 'Only a lost quote can be reopened.'],
    ['reopen', 'expired', 'Only a lost quote can be reopened.'],
  ] as const)('for %s in state %s is: %s', (action, state, message) => {
    expect(refusalOf(action, state)).toBe(message)
  })
})
