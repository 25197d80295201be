import { beforeAll, describe, expect, it } from 'vitest'
import { DUMMY_HASH } from '../src/core/security/password.ts'
import type { ImportFinding } from '../src/world/import-findings.ts'
import { importRecords, importValid, MINIMAL, MINIMAL_WORLD } from './support/world.ts'
import type { TestRecord } from './support/world.ts'
import { answer, createImportDatabase } from './support/world-import.ts'

const { connection } = await createImportDatabase()

/** An id of a number of astral characters, each two UTF-16 units. */
const astral = (count: number) => '𝔘'.repeat(count)
const hash = 'ab'.repeat(32)

describe('a line of an import', () => {
  type Case = [rule: string, line: TestRecord | string, field: string | null, reason: RegExp]
  const { company, apiKey, user, location, discount, taxRate, paymentTerms, serviceCharge } = MINIMAL
  const { quote, lineItem, booking, event, invoice, form, formQuestion, formResponse, task, staff } = MINIMAL
  const yes = answer('a', 'Yes')
  const line = { description: 'Bar', amountCents: 1 }

  const cases: Case[] = [
    ['invalid JSON', '{"object":"lead",', null, /not valid JSON/],
    ['invalid JSON, without repeating it', '{"key":"secret-key-of-mine"', null, /^is not valid JSON/],
    ['an array', '[]', null, /not a JSON object/],
    ['a number', '1', null, /not a JSON object/],
    ['null', 'null', null, /not a JSON object/],
    ['a text', '"lead"', null, /not a JSON object/],
    ['a record without a kind', { id: 'x', companyId: 'c' }, 'object', /required/],
    ['an unknown kind', { object: 'leads', id: 'x', companyId: 'c' }, 'object', /not the name of a kind/],
    ['a kind in another case', { object: 'Lead', id: 'x', companyId: 'c' }, 'object', /not the name/],
    [
      'a kind that is a property of every object',
      { object: 'constructor', id: 'x' },
      'object',
      /not the name of a kind/,
    ],
    ['a kind that is not a text', { object: ['lead'], id: 'x' }, 'object', /not the name of a kind/],
    ['an unknown field', { ...MINIMAL.lead, nickname: 'A' }, 'nickname', /not a field/],
    ['an unknown field that is null', { ...MINIMAL.lead, nickname: null }, 'nickname', /not a field/],
    ['a field of another kind', { ...MINIMAL.lead, name: 'A' }, 'name', /not a field/],
    ['companyId on a company', { ...company, companyId: 'c' }, 'companyId', /not a field/],
    [
      '__proto__',
      '{"object":"lead","id":"x","companyId":"c","__proto__":{"a":1}}',
      '__proto__',
      /not a field/,
    ],
    [
      'constructor',
      '{"object":"lead","id":"x","companyId":"c","constructor":1}',
      'constructor',
      /not a field/,
    ],
    ['a field with a line break in its name', { ...MINIMAL.lead, 'a\nb': 1 }, 'a\\nb', /not a field/],
    ['a record without an id', { object: 'lead', companyId: 'c' }, 'id', /required/],
    ['an id that is null', { object: 'lead', id: null, companyId: 'c' }, 'id', /required/],
    ['a record without a company', { object: 'lead', id: 'x' }, 'companyId', /required/],
    ['an empty id', { ...MINIMAL.lead, id: '' }, 'id', /1 to 255 characters/],
    ['an id of 256 characters', { ...MINIMAL.lead, id: astral(256) }, 'id', /1 to 255 characters/],
    ['an id that is a number', { ...MINIMAL.lead, id: 7 }, 'id', /1 to 255 characters/],
    ['NUL in an id', { ...MINIMAL.lead, id: 'a\0' }, 'id', /NUL/],
    ['an empty reference', { ...quote, leadId: '' }, 'leadId', /1 to 255 characters/],
    ['a reference that is too long', { ...quote, bookingId: 'x'.repeat(256) }, 'bookingId', /1 to 255/],
    ['NUL in a text', { ...MINIMAL.lead, email: 'a\0b' }, 'email', /NUL/],
    ['an unpaired surrogate in a text', { ...MINIMAL.lead, email: 'a\ud800' }, 'email', /lone surrogates/],
    ['NUL in a required text', { ...MINIMAL.eventType, name: '\0' }, 'name', /NUL/],
    [
      'an unpaired surrogate in an answer',
      { ...formResponse, answers: [{ ...yes, response: '\udc00' }] },
      'answers[0].response',
      /lone/,
    ],
    [
      'NUL in an invoice line',
      { ...invoice, lines: [line, { ...line, description: '\0' }] },
      'lines[1].description',
      /NUL/,
    ],
    ['a text that is a number', { ...MINIMAL.lead, phone: 123 }, 'phone', /must be a text/],
    ['a missing required field', { ...location, timeZone: undefined }, 'timeZone', /required/],
    ['a required field that is null', { ...location, name: null }, 'name', /required/],
    ['an empty required text', { ...staff, firstName: '' }, 'firstName', /not empty/],
    [
      'an empty answer',
      { ...formResponse, answers: [{ ...yes, response: '' }] },
      'answers[0].response',
      /not empty/,
    ],
    ['an unknown plan', { ...company, plan: 'premium' }, 'plan', /BASIC, PRO, PREMIUM, LEGACY_PRO/],
    ['an unknown currency', { ...company, currency: 'XYZ' }, 'currency', /ISO 4217/],
    ['a currency in lower case', { ...quote, currency: 'usd' }, 'currency', /ISO 4217/],
    ['an unknown lost reason', { ...quote, lostReason: 'NONE' }, 'lostReason', /one of PRICE/],
    ['an unknown question type', { ...formQuestion, type: 'text' }, 'type', /one of ADDRESS/],
    ['an unknown purpose', { ...form, purpose: 'quote' }, 'purpose', /QUOTE, BOOKING/],
    ['a slug with a space', { ...form, slug: 'my form' }, 'slug', /lower-case letters/],
    ['a slug of one letter', { ...form, slug: 'b' }, 'slug', /2 to 80/],
    [
      'an origin with a path',
      { ...form, allowedOrigins: ['https://a.example/b'] },
      'allowedOrigins[0]',
      /origin/,
    ],
    ['any origin', { ...form, allowedOrigins: ['https://*.example'] }, 'allowedOrigins[0]', /origin/],
    ['a duplicate option', { ...formQuestion, options: ['a', 'a'] }, 'options[1]', /same as options\[0\]/],
    ['an empty option', { ...formQuestion, options: [''] }, 'options[0]', /not empty/],
    ['a condition that is not an object', { ...formQuestion, showWhen: 'x' }, 'showWhen', /object/],
    [
      'a condition without an answer',
      { ...formQuestion, showWhen: { questionId: 'ask' } },
      'showWhen.equals',
      /required/,
    ],
    ['a status of another kind', { ...MINIMAL.resource, status: 'active' }, 'status', /Active, Inactive/],
    ['a status in another case', { ...staff, status: 'Active' }, 'status', /active, inactive/],
    ['an unknown time zone', { ...location, timeZone: 'Europe/Atlantis' }, 'timeZone', /IANA/],
    ['a time zone in lower case', { ...location, timeZone: 'europe/paris' }, 'timeZone', /IANA/],
    ['an alias of a time zone in another case', { ...location, timeZone: 'US/EASTERN' }, 'timeZone', /IANA/],
    ['an offset as time zone', { ...location, timeZone: '+05:00' }, 'timeZone', /IANA/],
    ['an empty time zone', { ...location, timeZone: '' }, 'timeZone', /IANA/],
    ['negative money', { ...booking, totalPriceCents: -1 }, 'totalPriceCents', /0 to 100000000000/],
    [
      'money above 10^11',
      { ...booking, totalPriceCents: 100000000001 },
      'totalPriceCents',
      /0 to 100000000000/,
    ],
    ['a fraction of a cent', { ...lineItem, priceCents: 1.5 }, 'priceCents', /integer/],
    ['money as a text', { ...quote, baseFeeCents: '100' }, 'baseFeeCents', /integer/],
    [
      'negative money in an invoice line',
      { ...invoice, lines: [{ ...line, amountCents: -5 }] },
      'lines[0].amountCents',
      /integer/,
    ],
    ['an integer above 2^31 - 1', { ...quote, guestCount: 2147483648 }, 'guestCount', /0 to 2147483647/],
    [
      'a next number above the maximum',
      { ...company, nextQuoteNumber: 1e9 },
      'nextQuoteNumber',
      /0 to 999999999/,
    ],
    ['a negative integer', { ...formQuestion, position: -1 }, 'position', /0 to 2147483647/],
    ['an integer with a fraction', { ...event, staffNumber: 0.5 }, 'staffNumber', /integer/],
    ['a boolean as a text', { ...quote, baseFeeTaxable: 'true' }, 'baseFeeTaxable', /true or false/],
    ['a boolean as a number', { ...booking, cardOnFile: 1 }, 'cardOnFile', /true or false/],
    ['a percentage above 100', { ...taxRate, rate: 100.000001 }, 'rate', /0 to 100/],
    ['a percentage above 100 as a text', { ...taxRate, rate: '100.000001' }, 'rate', /0 to 100/],
    ['a negative percentage', { ...taxRate, rate: -1 }, 'rate', /0 to 100/],
    ['a percentage with 7 decimals', { ...taxRate, rate: 8.1234567 }, 'rate', /at most 6 decimals/],
    ['a percentage of 10^-7', { ...taxRate, rate: 1e-7 }, 'rate', /at most 6 decimals/],
    [
      'a percentage with 7 decimals as a text',
      { ...taxRate, rate: '8.1234567' },
      'rate',
      /at most 6 decimals/,
    ],
    ['a percentage text with a sign', { ...taxRate, rate: '+8' }, 'rate', /decimal text/],
    ['a percentage text without digits before the point', { ...taxRate, rate: '.5' }, 'rate', /decimal text/],
    ['a percentage text with an exponent', { ...taxRate, rate: '1e1' }, 'rate', /decimal text/],
    ['a percentage text with a line break', { ...taxRate, rate: '8\n' }, 'rate', /decimal text/],
    ['an empty percentage text', { ...taxRate, rate: '' }, 'rate', /decimal text/],
    ['a percentage text of four digits', { ...taxRate, rate: '0008' }, 'rate', /decimal text/],
    ['a quantity above 10^6', { ...lineItem, quantity: 1000000.0001 }, 'quantity', /0 to 1000000/],
    ['a quantity with 5 decimals', { ...lineItem, quantity: 0.00001 }, 'quantity', /at most 4 decimals/],
    [
      'a quantity text with 5 decimals',
      { ...lineItem, quantity: '1.00001' },
      'quantity',
      /at most 4 decimals/,
    ],
    ['a negative quantity', { ...lineItem, quantity: '-1' }, 'quantity', /0 to 1000000/],
    ['a date', { ...task, dueDate: '2026-03-01' }, 'dueDate', /date-time/],
    ['30 February', { ...task, dueDate: '2026-02-30T00:00:00.000Z' }, 'dueDate', /date-time/],
    [
      '29 February in a year that is not a leap year',
      { ...task, dueDate: '2026-02-29T00:00:00.000Z' },
      'dueDate',
      /date-time/,
    ],
    ['hour 24', { ...task, dueDate: '2026-02-01T24:00:00.000Z' }, 'dueDate', /date-time/],
    ['the year 0000', { ...task, dueDate: '0000-02-01T00:00:00.000Z' }, 'dueDate', /date-time/],
    [
      'an instant before the year 0001',
      { ...task, dueDate: '0001-01-01T00:00+01:00' },
      'dueDate',
      /date-time/,
    ],
    [
      'an instant after the year 9999',
      { ...task, dueDate: '9999-12-31T23:59-01:00' },
      'dueDate',
      /date-time/,
    ],
    ['a time without a zone', { ...quote, sentAt: '2026-02-01T10:00:00' }, 'sentAt', /date-time/],
    ['a time as a number', { ...quote, createdAt: 1767225600 }, 'createdAt', /date-time/],
    [
      'an invalid time of an answer',
      { ...formResponse, answers: [{ ...yes, createdAt: 'now' }] },
      'answers[0].createdAt',
      /date-time/,
    ],
    ['an id array that is a text', { ...event, serviceIds: 'srv' }, 'serviceIds', /array/],
    ['an invalid entry of an id array', { ...event, staffIds: ['a', null] }, 'staffIds[1]', /1 to 255/],
    [
      'a duplicate id in an array',
      { ...event, addonIds: ['a', 'b', 'a'] },
      'addonIds[2]',
      /same as addonIds\[0\]/,
    ],
    [
      'a duplicate service charge',
      { ...quote, serviceChargeIds: ['x', 'x'] },
      'serviceChargeIds[1]',
      /same as/,
    ],
    [
      '21 service charges',
      { ...quote, serviceChargeIds: Array.from({ length: 21 }, (_, i) => `s${i}`) },
      'serviceChargeIds',
      /at most 20/,
    ],
    [
      'a CIDR block with host bits',
      { ...company, allowedIps: ['10.0.0.0/8', '10.0.0.1/8'] },
      'allowedIps[1]',
      /host bits/,
    ],
    [
      'an IPv6 block with host bits',
      { ...company, allowedIps: ['2001:db8::1/32'] },
      'allowedIps[0]',
      /host bits/,
    ],
    ['an invalid address', { ...company, allowedIps: ['localhost'] }, 'allowedIps[0]', /IP address/],
    ['an array of addresses that is an object', { ...company, allowedIps: {} }, 'allowedIps', /array/],
    [
      'PERCENT without percentOff',
      { ...discount, percentOff: undefined },
      'percentOff',
      /required when type is PERCENT/,
    ],
    ['PERCENT with amountOff', { ...discount, amountOff: 1 }, 'amountOff', /only with type AMOUNT/],
    ['PERCENT with a currency', { ...discount, currency: 'USD' }, 'currency', /only with type AMOUNT/],
    [
      'AMOUNT without amountOff',
      { ...discount, type: 'AMOUNT', percentOff: null, currency: 'USD' },
      'amountOff',
      /required when/,
    ],
    [
      'AMOUNT without a currency',
      { ...discount, type: 'AMOUNT', percentOff: null, amountOff: 1 },
      'currency',
      /required when/,
    ],
    [
      'a service charge of type AMOUNT with a percentage',
      { ...serviceCharge, percentage: 5 },
      'percentage',
      /only with type PERCENT/,
    ],
    [
      'a service charge of type PERCENT without a percentage',
      { ...serviceCharge, type: 'PERCENT', amountCents: null, currency: null },
      'percentage',
      /required when/,
    ],
    [
      'a deposit percentage without its type',
      { ...paymentTerms, depositPercentage: 5 },
      'depositPercentage',
      /only with depositType PERCENT/,
    ],
    [
      'a deposit amount with PERCENT',
      { ...paymentTerms, depositType: 'PERCENT', depositPercentage: 5, depositAmountCents: 5 },
      'depositAmountCents',
      /only with/,
    ],
    [
      'a deposit type without its amount',
      { ...paymentTerms, depositType: 'AMOUNT' },
      'depositAmountCents',
      /required when depositType is AMOUNT/,
    ],
    [
      'SERVICE without serviceId',
      { ...lineItem, kind: 'SERVICE' },
      'serviceId',
      /required when kind is SERVICE/,
    ],
    ['ADDON without addonId', { ...lineItem, kind: 'ADDON' }, 'addonId', /required when kind is ADDON/],
    ['CUSTOM with a serviceId', { ...lineItem, serviceId: 's' }, 'serviceId', /only with kind SERVICE/],
    ['a user without a hash', { ...user, passwordHash: undefined }, 'passwordHash', /required/],
    ['a password', { ...user, passwordHash: 'correct horse' }, 'passwordHash', /a hash such as \$scrypt/],
    [
      'a hash with too little work',
      { ...user, passwordHash: DUMMY_HASH.replace('ln=15', 'ln=10') },
      'passwordHash',
      /a hash such as \$scrypt/,
    ],
    ['a password in addition to the hash', { ...user, password: 'correct horse' }, 'password', /not a field/],
    ['an unknown role', { ...user, role: 'OWNER' }, 'role', /ADMIN, MEMBER/],
    ['neither key nor keyHash', { ...apiKey, key: undefined }, 'key', /exactly one of key and keyHash/],
    ['both key and keyHash', { ...apiKey, keyHash: hash }, 'key', /exactly one of key and keyHash/],
    ['a key of 7 characters', { ...apiKey, key: 'x'.repeat(7) }, 'key', /8 to 200 visible ASCII/],
    ['a key of 201 characters', { ...apiKey, key: 'x'.repeat(201) }, 'key', /8 to 200 visible ASCII/],
    ['a key with a space', { ...apiKey, key: 'a plain key' }, 'key', /visible ASCII/],
    ['a key with a letter outside ASCII', { ...apiKey, key: 'clé-publique' }, 'key', /visible ASCII/],
    [
      'a key hash in upper case',
      { ...apiKey, key: null, keyHash: hash.toUpperCase() },
      'keyHash',
      /64 lower-case/,
    ],
    ['a key hash of 63 digits', { ...apiKey, key: null, keyHash: hash.slice(1) }, 'keyHash', /64 lower-case/],
    [
      'NUL in a key hash',
      { ...apiKey, key: null, keyHash: `${hash.slice(1)}\0` },
      'keyHash',
      /64 lower-case/,
    ],
    ['answers that are not an array', { ...formResponse, answers: yes }, 'answers', /array of objects/],
    [
      'an answer that is not an object',
      { ...formResponse, answers: [yes, 'Yes'] },
      'answers[1]',
      /must be an object/,
    ],
    [
      'an unknown field of an answer',
      { ...formResponse, answers: [{ ...yes, note: 'x' }] },
      'answers[0].note',
      /not a field/,
    ],
    [
      'an answer without a question',
      { ...formResponse, answers: [{ ...yes, questionId: null }] },
      'answers[0].questionId',
      /required/,
    ],
    [
      'two answers with the same id',
      { ...formResponse, answers: [yes, yes] },
      'answers[1].id',
      /same as answers\[0\]\.id/,
    ],
    ['answers in another kind', { ...MINIMAL.form, answers: [] }, 'answers', /not a field/],
    [
      'an invoice line without an amount',
      { ...invoice, lines: [{ description: 'Bar' }] },
      'lines[0].amountCents',
      /required/,
    ],
    [
      '__proto__ in an invoice line',
      JSON.stringify({ ...invoice, lines: [line] }).replace(
        '"amountCents"',
        '"__proto__":{"amountCents":1},"x"',
      ),
      'lines[0].__proto__',
      /not a field/,
    ],
    ['a missing company', { ...MINIMAL.lead, companyId: 'unknown' }, 'companyId', /no company "unknown"/],
    [
      'a service day of a missing quote',
      { ...MINIMAL.serviceDay, quoteId: 'none' },
      'quoteId',
      /no quote "none"/,
    ],
    ['a line item of a missing quote', { ...lineItem, quoteId: 'none' }, 'quoteId', /no quote "none"/],
    ['a question of a missing form', { ...formQuestion, formId: 'none' }, 'formId', /no form "none"/],
    ['a task of a missing event', { ...task, eventId: 'none' }, 'eventId', /no event "none"/],
    ['an invoice of a missing booking', { ...invoice, bookingId: 'none' }, 'bookingId', /no booking "none"/],
    [
      'an owner of another company',
      { ...task, companyId: 'other', eventId: 'evt' },
      'eventId',
      /no event "evt"/,
    ],
  ]

  /** Lines per import, which reports at most 20 findings. */
  const LINES = 6
  const findings = new Map<string, ImportFinding[]>()

  beforeAll(async () => {
    await importValid(connection, [...MINIMAL_WORLD, { ...company, id: 'other' }])
    for (let start = 0; start < cases.length; start += LINES) {
      const some = cases.slice(start, start + LINES)
      const { errors } = await importRecords(
        connection,
        some.map(([, bad]) => bad),
      )
      for (const [index, [rule]] of some.entries()) {
        findings.set(
          rule,
          errors.filter((error) => error.line === index + 1),
        )
      }
    }
  })

  it.each(cases)('is rejected for %s', (rule, bad, field, reason) => {
    expect(findings.get(rule)).toContainEqual({
      line: expect.any(Number) as number,
      field,
      reason: expect.stringMatching(reason) as string,
    })
  })

  it('with an unknown type has no errors about fields that depend on the type', async () => {
    const { errors } = await importRecords(connection, [{ ...discount, type: 'HALF', amountOff: 1 }])
    expect(errors.map((error) => error.field)).toEqual(['type'])
  })

  it.each([
    ['an id of 255 characters', { ...MINIMAL.lead, id: astral(255) }],
    ['an id with special characters', { ...MINIMAL.lead, id: ' \t\n\r\\\\N"\'{},;\u0001ü𝔘' }],
    ['an empty optional text', { ...MINIMAL.lead, firstName: '' }],
    ['a required text of spaces', { ...MINIMAL.eventType, name: ' ' }],
    ['money of 10^11', { ...booking, totalPriceCents: 1e11 }],
    ['an integer of 2^31 - 1', { ...quote, guestCount: 2147483647 }],
    ['minus zero', { ...quote, guestCount: -0 }],
    ['20 service charges', { ...quote, serviceChargeIds: Array.from({ length: 20 }, (_, i) => `s${i}`) }],
    ['a percentage of 100', { ...taxRate, rate: 100 }],
    ['a percentage of 10^-6', { ...taxRate, rate: 1e-6 }],
    ['a percentage text', { ...taxRate, rate: '008.875000' }],
    ['a quantity of 10^6', { ...lineItem, quantity: 1e6 }],
    ['a quantity text', { ...lineItem, quantity: '1000000.0000' }],
    ['zero', { ...lineItem, quantity: 0, priceCents: 0 }],
    ['an alias of a time zone', { ...location, timeZone: 'Asia/Kolkata' }],
    ['UTC', { ...location, timeZone: 'UTC' }],
    ['a key of 8 characters', { ...apiKey, key: '!~8chars' }],
    ['a key of 200 characters', { ...apiKey, key: 'x'.repeat(200) }],
    [
      'addresses and blocks',
      { ...company, allowedIps: ['10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1', '::/0'] },
    ],
    [
      'ids that are names of properties',
      { ...event, staffIds: ['__proto__', 'constructor', 'null', ''.padEnd(255, 'x')] },
    ],
    [
      'missing references',
      { ...quote, leadId: 'no lead', discountId: 'no discount', serviceChargeIds: ['no'] },
    ],
    ['an owner that is not checked', { ...formResponse, formId: 'no form', bookingId: 'no booking' }],
    [
      'duplicate fields, of which the last counts',
      '{"object":"lead","id":"twice","companyId":"c","email":7,"email":"a"}',
    ],
    ['white space around JSON', ' \t{"object":"lead", "id":"blank", "companyId":"c"} \r'],
  ])('can have %s', async (_, record) => {
    expect(await importRecords(connection, [record])).toEqual({ records: 1, errorCount: 0, errors: [] })
  })
})
