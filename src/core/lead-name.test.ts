import { describe, expect, it } from 'vitest'
import { leadName } from './lead-name.ts'

describe('O3: the name of a customer', () => {
  it.each<
    [
      name: string,
      firstName: string | null,
      lastName: string | null,
      companyName: string | null,
      email: string | null,
    ]
  >([
    ['Ada Noor', 'Ada', 'Noor', 'Harbor', 'ada@example.com'],
    ['Ada', 'Ada', null, 'Harbor', 'ada@example.com'],
    ['Noor', ' ', 'Noor', 'Harbor', 'ada@example.com'],
    ['Harbor', null, '', 'Harbor', 'ada@example.com'],
    ['ada@example.com', null, null, '\t ', 'ada@example.com'],
    ['', null, null, null, ' '],
    ['', null, null, null, null],
  ])(
    'is %j for first name %j, last name %j, company %j and email %j',
    (name, firstName, lastName, companyName, email) => {
      expect(leadName({ firstName, lastName, companyName, email })).toBe(name)
    },
  )
})
