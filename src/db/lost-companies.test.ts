import { afterEach, describe, expect, it } from 'vitest'
import { CompanyLostError, refuseLost, setLostCompanies } from './lost-companies.ts'
import { isWorkerLost } from './workers.ts'

afterEach(() => setLostCompanies(new Set()))

describe('a company whose worker does not respond', () => {
  it.each<[text: string, companyId: unknown]>([
    ['SELECT id FROM quotes WHERE company_id = $1', 'co_other'],
    ['SELECT id FROM quotes', undefined],
    // The coordinator stores these records.
    ['UPDATE api_keys SET revoked_at = $2 WHERE company_id = $1', 'co_lost'],
  ])('does not block %s with %j', (text, companyId) => {
    setLostCompanies(new Set(['co_lost']))
    expect(() => refuseLost(text, companyId)).not.toThrow()
  })

  it('cannot run statements on its records', () => {
    const read = () => refuseLost('SELECT id FROM quotes WHERE company_id = $1', 'co_lost')
    expect(read).not.toThrow()
    setLostCompanies(new Set(['co_lost']))
    expect(read).toThrow(CompanyLostError)
  })

  it('gets the error of a lost worker', () => {
    expect(isWorkerLost(new CompanyLostError())).toBe(true)
  })
})
