import { describe, expect, it } from 'vitest'
import { PLANS } from '../../core/enumerations.ts'
import { verifyPassword } from '../../core/security/password.ts'
import { QUESTION_TYPES } from '../../core/enumerations.ts'
import { DEMO_KEYS } from './demo-world.ts'
import { DEMO_PASSWORD, DEMO_PASSWORD_HASH, DEMO_USERS } from './users.ts'
import {
  BY_KEY,
  MAIN,
  WORLD,
  companyIdOf,
  find,
  isKind,
  keyOf,
  main,
} from '../../../test/support/demo-world.ts'

describe('companies of the demo world', () => {
  const companies = WORLD.filter(isKind('company'))

  it('have different plans, and one allows requests only from unreachable addresses', () => {
    expect(PLANS.filter((plan) => !companies.some((record) => record.plan === plan))).toEqual(['PRO'])
    expect(companies.filter(({ plan }) => plan === 'PREMIUM')).toHaveLength(3)
    const closed = companies.filter(({ allowedIps }) => allowedIps !== undefined)
    expect(closed).toHaveLength(1)
    expect(closed[0]).toMatchObject({ plan: 'PREMIUM' })
    expect(closed[0]?.allowedIps?.some((block) => /^(127\.|::1|0\.0\.0\.0|::\/)/.test(block))).toBe(false)
  })

  it('have the documented number of quotes and currencies', () => {
    const quotes = WORLD.filter(isKind('quote'))
    expect(quotes.filter(({ companyId }) => companyId === MAIN)).toHaveLength(300)
    const rivage = quotes.filter(({ companyId }) => companyId === 'co_maison_rivage')
    expect(rivage).toHaveLength(40)
    expect(new Set(rivage.map(({ currency }) => currency))).toEqual(new Set(['EUR']))
  })

  it('have exactly the keys of DEMO_KEYS', () => {
    const records = WORLD.filter(isKind('apiKey')).map(({ name, key, companyId, revokedAt }) => ({
      name,
      key,
      companyId,
      revokedAt,
    }))
    const table = DEMO_KEYS.map(({ name, key, company: companyId, revokedAt }) => ({
      name,
      key,
      companyId,
      revokedAt,
    }))
    expect(records).toEqual(expect.arrayContaining(table))
    expect(records).toHaveLength(table.length)
    expect(new Set(table.map(({ key }) => key)).size).toBe(table.length)
    for (const { key } of table) expect(key).toMatch(/^eqs_demo_[!-~]{1,190}$/)
    for (const { id } of companies) expect(table.some(({ companyId }) => companyId === id)).toBe(true)
  })

  it('have an administrator each, and the main one a member, all with the published password', async () => {
    const users = WORLD.filter(isKind('user'))
    expect(users.map(({ companyId, email, role }) => [companyId, email, role])).toEqual(
      DEMO_USERS.map(({ company: companyId, email, role }) => [companyId, email, role]),
    )
    const admins = users.filter(({ role }) => role === 'ADMIN').map(({ companyId }) => companyId)
    expect(admins.toSorted()).toEqual(companies.map(({ id }) => id).toSorted())
    expect(DEMO_USERS[0]).toMatchObject({ company: MAIN, role: 'ADMIN', email: 'admin@harborlight.example' })
    expect(users.filter(({ role }) => role === 'MEMBER')).toMatchObject([
      { companyId: MAIN, email: 'member@harborlight.example' },
    ])
    expect(new Set(users.map(({ passwordHash }) => passwordHash))).toEqual(new Set([DEMO_PASSWORD_HASH]))
    expect(DEMO_PASSWORD).toBe('harborlight-demo')
    expect(await verifyPassword(DEMO_PASSWORD, DEMO_PASSWORD_HASH)).toBe(true)
  })

  it('have a revoked key, and the first key is a valid one of the main company', () => {
    expect(DEMO_KEYS[0]).toMatchObject({ company: MAIN })
    expect(DEMO_KEYS[0].revokedAt).toBeUndefined()
    expect(
      DEMO_KEYS.filter(({ company: id, revokedAt }) => id === MAIN && revokedAt !== undefined),
    ).toHaveLength(1)
  })

  it('share some ids with different content, in the main and the second company only', () => {
    const shared = WORLD.filter(
      (record) =>
        companyIdOf(record) === MAIN && BY_KEY.has(keyOf('co_maison_rivage', record.object, record.id)),
    )
    const kinds = new Set(shared.map(({ object }) => object))
    expect([...kinds]).toEqual(
      expect.arrayContaining(['quote', 'lead', 'resource', 'staff', 'booking', 'event']),
    )
    const contents = shared.map((record) => {
      const other = BY_KEY.get(keyOf('co_maison_rivage', record.object, record.id))
      return [
        { ...record, companyId: '' },
        { ...other, companyId: '' },
      ]
    })
    for (const [here, there] of contents) expect(here).not.toEqual(there)
    for (const number of ['0001', '0002', '0003']) {
      const of = (companyId: string) => [
        find(companyId, 'quote', `quote_${number}`)?.eventAddress,
        find(companyId, 'resource', `res_${number}`)?.name,
        find(companyId, 'staff', `staff_${number}`)?.email,
      ]
      expect(of(MAIN)).not.toContain(undefined)
      for (const [index, text] of of('co_maison_rivage').entries()) expect(text).not.toBe(of(MAIN)[index])
    }
    for (const record of WORLD) {
      if (companyIdOf(record) === MAIN || record.object === 'company') continue
      const isElsewhere = BY_KEY.has(keyOf(MAIN, record.object, record.id))
      expect(isElsewhere && companyIdOf(record) !== 'co_maison_rivage').toBe(false)
    }
  })
})

describe('records of the demo world', () => {
  it('include contacts that are persons or companies, some incomplete', () => {
    const leads = main('lead')
    const has = (...fields: ('firstName' | 'lastName' | 'email' | 'phone' | 'companyName')[]) =>
      leads.filter((lead) => fields.every((field) => lead[field] !== undefined))
    expect(has('firstName', 'lastName', 'email', 'phone').length).toBeGreaterThan(50)
    expect(has('firstName', 'companyName').length).toBeGreaterThan(10)
    expect(has('companyName').some(({ firstName }) => firstName === undefined)).toBe(true)
    expect(has('firstName', 'lastName').some(({ phone }) => phone === undefined)).toBe(true)
    expect(has('firstName', 'lastName').some(({ email }) => email === undefined)).toBe(true)
    expect(has('firstName').some(({ lastName }) => lastName === undefined)).toBe(true)
    expect(has('email').some((lead) => !lead.firstName && !lead.companyName)).toBe(true)
    expect(has('phone').some((lead) => !lead.firstName && !lead.companyName && !lead.email)).toBe(true)
    const quoted = main('quote').map(({ leadId }) => leadId)
    expect(new Set(quoted).size).toBeLessThan(quoted.length)
  })

  it('include resources for several pages and locations, some inactive or without optional fields', () => {
    const resources = main('resource')
    expect(resources).toHaveLength(40)
    for (const { id } of main('location')) {
      expect(resources.filter(({ locationId }) => locationId === id).length).toBeGreaterThan(3)
    }
    expect(resources.some(({ status }) => status === 'Inactive')).toBe(true)
    expect(resources.some(({ description, imageUrl, category }) => description && imageUrl && category)).toBe(
      true,
    )
    expect(
      resources.some(({ description, imageUrl, category }) => !description && !imageUrl && !category),
    ).toBe(true)
    expect(resources.some(({ description }) => description === undefined)).toBe(true)
  })

  it('include staff, some inactive, without a phone or without a role', () => {
    const staff = main('staff')
    expect(staff).toHaveLength(25)
    expect(new Set(staff.map(({ email }) => email)).size).toBe(25)
    expect(staff.filter(({ status }) => status === 'inactive').length).toBeGreaterThan(2)
    expect(staff.some(({ phone }) => phone === undefined)).toBe(true)
    expect(staff.some(({ role }) => role === undefined)).toBe(true)
    expect(staff.some(({ phone, role, status }) => phone && role && status === 'active')).toBe(true)
  })

  it.each(['service', 'addon', 'discount', 'taxRate', 'paymentTerms', 'serviceCharge', 'contract'] as const)(
    'include every %s that is used, and an archived one',
    (kind) => {
      const archived = main(kind).filter(({ archivedAt }) => archivedAt !== undefined)
      expect(archived.length).toBeGreaterThan(0)
      expect(archived.length).toBeLessThan(main(kind).length)
    },
  )

  it('have only reserved names and numbers', () => {
    const texts = WORLD.flatMap((record) => Object.entries(record))
    const of = (pattern: RegExp) =>
      texts.filter(([field]) => pattern.test(field)).map(([, value]) => String(value))
    const reserved = /^[a-z.]+@(([a-z-]+\.)?example\.(com|org|net)|[a-z-]+\.example)$/
    expect(of(/email$/i).filter((mail) => !reserved.test(mail))).toEqual([])
    expect(of(/phone$/i).filter((phone) => !/555-01\d\d$/.test(phone))).toEqual([])
    expect(of(/^imageUrl$/).filter((url) => !url.startsWith('https://images.example.com/'))).toEqual([])
    expect(texts.some(([, value]) => typeof value === 'string' && /[^\u0020-\u007e]/.test(value))).toBe(true)
  })
})

describe('forms of the demo world', () => {
  const questions = main('formQuestion')
  const responses = main('formResponse')

  it('have questions of all 14 types, at distinct positions', () => {
    expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES))
    expect(QUESTION_TYPES).toHaveLength(14)
    const places = questions.map(({ formId, position }) => `${formId} ${position}`)
    expect(new Set(places).size).toBe(places.length)
    const titles = questions.map(({ formId, title }) => `${formId} ${title}`)
    expect(titles.length - new Set(titles).size).toBe(1)
    expect(questions.some(({ systemRequired }) => systemRequired)).toBe(true)
    expect(questions.some(({ userRequired }) => userRequired)).toBe(true)
    expect(questions.some(({ linkedSystemField }) => linkedSystemField !== undefined)).toBe(true)
  })

  it('have answers to every type of question, for quotes, bookings or both', () => {
    const types = new Set(
      responses.flatMap(({ answers }) =>
        answers.map(({ questionId }) => find(MAIN, 'formQuestion', questionId)?.type),
      ),
    )
    const unanswered = QUESTION_TYPES.filter((type) => !types.has(type))
    expect(unanswered).toEqual(['DISPLAYTEXT'])
    expect(responses.some(({ quoteId, bookingId }) => quoteId && bookingId)).toBe(true)
    expect(responses.some(({ quoteId, bookingId }) => quoteId && !bookingId)).toBe(true)
    expect(responses.some(({ quoteId, bookingId }) => !quoteId && bookingId)).toBe(true)
    const ids = responses.flatMap(({ answers }) => answers.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})
