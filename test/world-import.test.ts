import type { PoolClient } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashApiKey } from '../src/core/security/api-key.ts'
import { DUMMY_HASH } from '../src/core/security/password.ts'
import { importWorld } from '../src/world/import.ts'
import type { ImportFinding } from '../src/world/import-findings.ts'
import { createDatabase } from './support/database.ts'
import {
  clearWorld,
  exportRecords,
  exportText,
  importRecords,
  importValid,
  inChunks,
  MINIMAL,
  MINIMAL_WORLD,
  toLines,
} from './support/world.ts'
import type { TestRecord } from './support/world.ts'

const { pool, connection } = await createDatabase()

/** An id of a number of astral characters, each two UTF-16 units. */
const astral = (count: number) => '𝔘'.repeat(count)
const hash = 'ab'.repeat(32)

function manyLeads(count: number): TestRecord[] {
  return Array.from({ length: count }, (_, index) => ({ ...MINIMAL.lead, id: `many${index}` }))
}

function answer(id: string, response: string, times: TestRecord = {}): TestRecord {
  return { id, questionId: 'ask', response, ...times }
}

/** A record whose times are those of an import. */
function atNoTime(record: TestRecord): TestRecord {
  return { ...record, createdAt: null, updatedAt: null }
}

async function* asText(text: string): AsyncGenerator<string> {
  yield text
}

async function* breakingOff(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
  throw new Error('the disk is gone')
}

describe('one line', () => {
  type Case = [rule: string, line: TestRecord | string, field: string | null, reason: RegExp]
  const { company, apiKey, user, location, discount, taxRate, paymentTerms, serviceCharge } = MINIMAL
  const { quote, lineItem, booking, event, invoice, formQuestion, formResponse, task, staff } = MINIMAL
  const yes = answer('a', 'Yes')
  const line = { description: 'Bar', amountCents: 1 }

  const cases: Case[] = [
    ['broken JSON', '{"object":"lead",', null, /not valid JSON/],
    ['broken JSON, without repeating it', '{"key":"secret-key-of-mine"', null, /^is not valid JSON/],
    ['an array', '[]', null, /not a JSON object/],
    ['a number', '1', null, /not a JSON object/],
    ['null', 'null', null, /not a JSON object/],
    ['a text', '"lead"', null, /not a JSON object/],
    ['a record without a kind', { id: 'x', companyId: 'c' }, 'object', /required/],
    ['an unknown kind', { object: 'leads', id: 'x', companyId: 'c' }, 'object', /not the name of a kind/],
    ['a kind of another case', { object: 'Lead', id: 'x', companyId: 'c' }, 'object', /not the name/],
    ['a kind that every object has', { object: 'constructor', id: 'x' }, 'object', /not the name of a kind/],
    ['a kind that is no text', { object: ['lead'], id: 'x' }, 'object', /not the name of a kind/],
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
    ['an over-long reference', { ...quote, bookingId: 'x'.repeat(256) }, 'bookingId', /1 to 255/],
    ['NUL in a text', { ...MINIMAL.lead, email: 'a\0b' }, 'email', /NUL/],
    ['a lone surrogate in a text', { ...MINIMAL.lead, email: 'a\ud800' }, 'email', /lone surrogates/],
    ['NUL in a required text', { ...MINIMAL.eventType, name: '\0' }, 'name', /NUL/],
    [
      'a lone surrogate in an answer',
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
    ['a currency in small letters', { ...quote, currency: 'usd' }, 'currency', /ISO 4217/],
    ['an unknown lost reason', { ...quote, lostReason: 'NONE' }, 'lostReason', /one of PRICE/],
    ['an unknown question type', { ...formQuestion, type: 'text' }, 'type', /one of ADDRESS/],
    ['a status of another kind', { ...MINIMAL.resource, status: 'active' }, 'status', /Active, Inactive/],
    ['a status of another case', { ...staff, status: 'Active' }, 'status', /active, inactive/],
    ['an unknown time zone', { ...location, timeZone: 'Europe/Atlantis' }, 'timeZone', /IANA/],
    ['a time zone in small letters', { ...location, timeZone: 'europe/paris' }, 'timeZone', /IANA/],
    ['another name of a zone in another case', { ...location, timeZone: 'US/EASTERN' }, 'timeZone', /IANA/],
    ['an offset as time zone', { ...location, timeZone: '+05:00' }, 'timeZone', /IANA/],
    ['an empty time zone', { ...location, timeZone: '' }, 'timeZone', /IANA/],
    ['negative money', { ...booking, totalPriceCents: -1 }, 'totalPriceCents', /0 to 100000000000/],
    [
      'money above 10^11',
      { ...booking, totalPriceCents: 100000000001 },
      'totalPriceCents',
      /0 to 100000000000/,
    ],
    ['a part of a cent', { ...lineItem, priceCents: 1.5 }, 'priceCents', /integer/],
    ['money as text', { ...quote, baseFeeCents: '100' }, 'baseFeeCents', /integer/],
    [
      'money in an invoice line',
      { ...invoice, lines: [{ ...line, amountCents: -5 }] },
      'lines[0].amountCents',
      /integer/,
    ],
    ['an integer above 2^31 - 1', { ...quote, guestCount: 2147483648 }, 'guestCount', /0 to 2147483647/],
    ['a negative integer', { ...formQuestion, position: -1 }, 'position', /0 to 2147483647/],
    ['an integer with a fraction', { ...event, staffNumber: 0.5 }, 'staffNumber', /integer/],
    ['a boolean as text', { ...quote, baseFeeTaxable: 'true' }, 'baseFeeTaxable', /true or false/],
    ['a boolean as number', { ...booking, cardOnFile: 1 }, 'cardOnFile', /true or false/],
    ['a percentage above 100', { ...taxRate, rate: 100.000001 }, 'rate', /0 to 100/],
    ['a percentage above 100 as text', { ...taxRate, rate: '100.000001' }, 'rate', /0 to 100/],
    ['a negative percentage', { ...taxRate, rate: -1 }, 'rate', /0 to 100/],
    ['a percentage with 7 decimals', { ...taxRate, rate: 8.1234567 }, 'rate', /at most 6 decimals/],
    ['a percentage of 10^-7', { ...taxRate, rate: 1e-7 }, 'rate', /at most 6 decimals/],
    ['a percentage with 7 decimals as text', { ...taxRate, rate: '8.1234567' }, 'rate', /at most 6 decimals/],
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
    ['29 February of no leap year', { ...task, dueDate: '2026-02-29T00:00:00.000Z' }, 'dueDate', /date-time/],
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
    ['a time as number', { ...quote, createdAt: 1767225600 }, 'createdAt', /date-time/],
    [
      'a time of an answer',
      { ...formResponse, answers: [{ ...yes, createdAt: 'now' }] },
      'answers[0].createdAt',
      /date-time/,
    ],
    ['an id array that is a text', { ...event, serviceIds: 'srv' }, 'serviceIds', /array/],
    ['a wrong entry of an id array', { ...event, staffIds: ['a', null] }, 'staffIds[1]', /1 to 255/],
    [
      'the same id twice in an array',
      { ...event, addonIds: ['a', 'b', 'a'] },
      'addonIds[2]',
      /same as addonIds\[0\]/,
    ],
    ['the same charge twice', { ...quote, serviceChargeIds: ['x', 'x'] }, 'serviceChargeIds[1]', /same as/],
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
    ['an address that is none', { ...company, allowedIps: ['localhost'] }, 'allowedIps[0]', /IP address/],
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
      'a charge of AMOUNT with a percentage',
      { ...serviceCharge, percentage: 5 },
      'percentage',
      /only with type PERCENT/,
    ],
    [
      'a charge of PERCENT without a percentage',
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
      'a hash that costs too little',
      { ...user, passwordHash: DUMMY_HASH.replace('ln=15', 'ln=10') },
      'passwordHash',
      /a hash such as \$scrypt/,
    ],
    ['a password beside the hash', { ...user, password: 'correct horse' }, 'password', /not a field/],
    ['an unknown role', { ...user, role: 'OWNER' }, 'role', /ADMIN, MEMBER/],
    ['neither key nor keyHash', { ...apiKey, key: undefined }, 'key', /exactly one of key and keyHash/],
    ['both key and keyHash', { ...apiKey, keyHash: hash }, 'key', /exactly one of key and keyHash/],
    ['a key of 7 characters', { ...apiKey, key: 'x'.repeat(7) }, 'key', /8 to 200 visible ASCII/],
    ['a key of 201 characters', { ...apiKey, key: 'x'.repeat(201) }, 'key', /8 to 200 visible ASCII/],
    ['a key with a blank', { ...apiKey, key: 'a plain key' }, 'key', /visible ASCII/],
    ['a key with a letter beyond ASCII', { ...apiKey, key: 'clé-publique' }, 'key', /visible ASCII/],
    [
      'a key hash in capitals',
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
    ['answers that are no array', { ...formResponse, answers: yes }, 'answers', /array of objects/],
    [
      'an answer that is no object',
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
      'two answers of the same id',
      { ...formResponse, answers: [yes, yes] },
      'answers[1].id',
      /same as answers\[0\]\.id/,
    ],
    ['answers on another kind', { ...MINIMAL.form, answers: [] }, 'answers', /not a field/],
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
    [
      'a company that is not there',
      { ...MINIMAL.lead, companyId: 'nobody' },
      'companyId',
      /no company "nobody"/,
    ],
    [
      'a service day without its quote',
      { ...MINIMAL.serviceDay, quoteId: 'none' },
      'quoteId',
      /no quote "none"/,
    ],
    ['a line item without its quote', { ...lineItem, quoteId: 'none' }, 'quoteId', /no quote "none"/],
    ['a question without its form', { ...formQuestion, formId: 'none' }, 'formId', /no form "none"/],
    ['a task without its event', { ...task, eventId: 'none' }, 'eventId', /no event "none"/],
    ['an invoice without its booking', { ...invoice, bookingId: 'none' }, 'bookingId', /no booking "none"/],
    [
      'an owner of another company',
      { ...task, companyId: 'other', eventId: 'evt' },
      'eventId',
      /no event "evt"/,
    ],
  ]

  /** A few lines to an import, which tells no more than 20 findings. */
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

  it.each(cases)('is refused for %s', (rule, bad, field, reason) => {
    expect(findings.get(rule)).toContainEqual({
      line: expect.any(Number) as number,
      field,
      reason: expect.stringMatching(reason) as string,
    })
  })

  it('with an unknown type has no opinion on what goes with it', async () => {
    const { errors } = await importRecords(connection, [{ ...discount, type: 'HALF', amountOff: 1 }])
    expect(errors.map((error) => error.field)).toEqual(['type'])
  })

  it.each([
    ['an id of 255 characters', { ...MINIMAL.lead, id: astral(255) }],
    ['an id with every sign', { ...MINIMAL.lead, id: ' \t\n\r\\\\N"\'{},;\u0001ü𝔘' }],
    ['an empty optional text', { ...MINIMAL.lead, firstName: '' }],
    ['a required text of blanks', { ...MINIMAL.eventType, name: ' ' }],
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
    ['another name of a time zone', { ...location, timeZone: 'Asia/Kolkata' }],
    ['UTC', { ...location, timeZone: 'UTC' }],
    ['a key of 8 characters', { ...apiKey, key: '!~8chars' }],
    ['a key of 200 characters', { ...apiKey, key: 'x'.repeat(200) }],
    [
      'addresses and blocks',
      { ...company, allowedIps: ['10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1', '::/0'] },
    ],
    [
      'names of other things',
      { ...event, staffIds: ['__proto__', 'constructor', 'null', ''.padEnd(255, 'x')] },
    ],
    [
      'references to nothing',
      { ...quote, leadId: 'no lead', discountId: 'no discount', serviceChargeIds: ['no'] },
    ],
    ['an owner that is not checked', { ...formResponse, formId: 'no form', bookingId: 'no booking' }],
    ['the last of two equal fields', '{"object":"lead","id":"twice","companyId":"c","email":7,"email":"a"}'],
    ['white space around JSON', ' \t{"object":"lead", "id":"blank", "companyId":"c"} \r'],
  ])('may hold %s', async (_, record) => {
    expect(await importRecords(connection, [record])).toEqual({ records: 1, errorCount: 0, errors: [] })
  })
})

describe('a file', () => {
  it('may hold its lines in any order', async () => {
    await clearWorld(pool)
    await importValid(connection, MINIMAL_WORLD)
    const inOrder = await exportRecords(connection)
    await clearWorld(pool)
    await importValid(connection, MINIMAL_WORLD.toReversed())
    expect((await exportRecords(connection)).map(atNoTime)).toEqual(inOrder.map(atNoTime))
  })

  it('is skipped where lines are empty, and may have a byte order mark, CRLF and no last line end', async () => {
    const text = `\uFEFF${toLines([{ ...MINIMAL.lead, id: 'bom' }, '', ' \t', '{']).replaceAll('\n', '\r\n')}\r\n{}`
    const { errors } = await importWorld(connection, inChunks(text, 1))
    expect(errors).toEqual([
      { line: 4, field: null, reason: expect.stringContaining('JSON') as string },
      { line: 6, field: 'object', reason: 'is required' },
    ])
  })

  it('may be empty', async () => {
    expect(await importRecords(connection, [])).toEqual({ records: 0, errorCount: 0, errors: [] })
    expect(await importRecords(connection, ['', '\r'])).toEqual({ records: 0, errorCount: 0, errors: [] })
  })

  it('may be cut into chunks anywhere, also inside a character, and come as text', async () => {
    await clearWorld(pool)
    const lines = toLines([...MINIMAL_WORLD, { ...MINIMAL.lead, id: '𝔘ü', firstName: 'Zoë 🎈' }])
    await importWorld(connection, inChunks(lines, 1))
    const byBytes = await exportText(connection)
    await importWorld(connection, inChunks(lines, 7))
    expect(await exportText(connection)).toBe(byBytes)
    await importWorld(connection, asText(lines))
    expect(await exportText(connection)).toBe(byBytes)
    expect(byBytes).toContain('"firstName":"Zoë 🎈"')
  })

  it('is refused for invalid UTF-8, with the number of the line', async () => {
    const good = Buffer.from(toLines([MINIMAL.lead]))
    const bad = Buffer.from('{"object":"lead","id":"x","companyId":"c","email":"\xff"}\n', 'latin1')
    const surrogate = Buffer.from(
      '{"object":"lead","id":"x","companyId":"c","email":"\xed\xa0\x80"}',
      'latin1',
    )
    for (const size of [3, 65_536]) {
      const file = inChunks(Buffer.concat([good, bad, good, surrogate]), size)
      const { errors } = await importWorld(connection, file)
      expect(errors.slice(0, 1)).toEqual([{ line: 2, field: null, reason: 'is not valid UTF-8' }])
      expect(errors.at(-1)).toEqual({ line: 4, field: null, reason: 'is not valid UTF-8' })
    }
  })

  it('is refused for half a surrogate pair in a chunk of text', async () => {
    const text = '{"object":"lead","id":"x","companyId":"c","email":"\ud83c"}\n'
    const { errors } = await importWorld(connection, asText(text))
    expect(errors).toMatchObject([
      { line: 1, field: null, reason: expect.stringContaining('JSON') as string },
    ])
  })

  it('is refused for a line longer than 16 MiB, and only for that one', async () => {
    const long = `{"object":"lead","id":"x","companyId":"c","email":"${'x'.repeat(17 * 1024 * 1024)}"}`
    const file = toLines([MINIMAL.lead, long, '{'])
    for (const size of [65_536, 64 * 1024 * 1024]) {
      const { errors, errorCount } = await importWorld(connection, inChunks(file, size))
      expect(errorCount).toBe(2)
      expect(errors).toMatchObject([
        { line: 2, field: null, reason: 'is longer than 16 MiB' },
        { line: 3, field: null },
      ])
    }
  })

  it('is refused for the same id twice in a kind and company: the later line, naming the first', async () => {
    const { lead, company } = MINIMAL
    const other = { ...company, id: 'other' }
    const fine = [company, other, lead, { ...lead, companyId: 'other' }, { ...lead, id: 'LEAD' }]
    expect(await importRecords(connection, [...fine, { ...MINIMAL.staff, id: 'lead' }])).toMatchObject({
      errorCount: 0,
    })
    const result = await importRecords(connection, [...fine, lead, other, lead])
    expect(result).toEqual({
      records: 0,
      errorCount: 3,
      errors: [
        { line: 6, field: 'id', reason: 'is the id of another lead, on line 3' },
        { line: 7, field: 'id', reason: 'is the id of another company, on line 2' },
        { line: 8, field: 'id', reason: 'is the id of another lead, on line 3' },
      ],
    })
  })

  it('is imported whole or not at all', async () => {
    const before = await exportText(connection)
    const { records } = await importRecords(connection, [
      { ...MINIMAL.company, name: 'Renamed' },
      ...manyLeads(3),
      { ...MINIMAL.task, dueDate: 'soon' },
    ])
    expect(records).toBe(0)
    expect(await exportText(connection)).toBe(before)
  })

  it('tells the first 20 errors by line, of every sort, and how many there are', async () => {
    const wrong = Array.from({ length: 15 }, (_, index) => [
      { ...MINIMAL.lead, id: `w${index}`, email: index },
      { ...MINIMAL.lead, id: `w${index}`, companyId: index % 2 === 0 ? 'nobody' : 'c' },
    ]).flat()
    const { errors, errorCount } = await importRecords(connection, wrong)
    // Line 1 has a wrong field, line 2 no company; line 3 a wrong field, line 4 the id of line 3; and so on.
    expect(errorCount).toBe(30)
    expect(errors.map(({ line, field }) => [line, field])).toEqual(
      Array.from({ length: 20 }, (_, index) => [index + 1, ['email', 'companyId', 'email', 'id'][index % 4]]),
    )
  })

  it('judges a record by its owner also when that one has an error of its own', async () => {
    const { errors } = await importRecords(connection, [
      { ...MINIMAL.quote, id: 'bad', currency: 'dollars' },
      { ...MINIMAL.serviceDay, id: 'fine', quoteId: 'bad' },
    ])
    expect(errors.map((error) => error.line)).toEqual([1])
  })

  it('reports its progress', async () => {
    const seen: { lines: number; bytes: number }[] = []
    const text = toLines(manyLeads(10))
    await importWorld(connection, inChunks(text, 100), { onProgress: (progress) => seen.push(progress) })
    expect(seen.at(-1)).toEqual({ lines: 10, bytes: text.length })
    expect(seen.length).toBeGreaterThan(5)
  })

  it('that breaks off leaves nothing behind', async () => {
    const before = await exportText(connection)
    await expect(importWorld(connection, breakingOff(toLines(manyLeads(3))))).rejects.toThrow(
      'the disk is gone',
    )
    expect(await exportText(connection)).toBe(before)
  })

  it('ends with an error, not with silence, when the connection is lost', async () => {
    async function* losing() {
      yield toLines(manyLeads(3))
      await pool.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`)
      // Enough for a batch, which finds nobody to go to.
      yield toLines(manyLeads(20_000))
    }
    await expect(importWorld(connection, losing())).rejects.toThrow(/terminat|connection|EPIPE|ECONNRESET/i)
  })

  it('that the database refuses leaves nothing behind, and one line without SQL', async () => {
    await pool.query(`ALTER TABLE tasks ADD CONSTRAINT no_slips CHECK (description <> E'Slip\\nped')`)
    const before = await exportText(connection)
    const records = [
      { ...MINIMAL.lead, id: 'gone' },
      MINIMAL.event,
      { ...MINIMAL.task, description: 'Slip\nped' },
    ]
    await expect(importRecords(connection, records)).rejects.toThrow(
      /^the database refused the data, nothing was imported: .*"no_slips"$/,
    )
    await pool.query('ALTER TABLE tasks DROP CONSTRAINT no_slips')
    expect(await exportText(connection)).toBe(before)
  })
})

describe('a file that the database refuses while it is still being read', () => {
  it('leaves nothing behind, and one line without SQL', async () => {
    await pool.query(`ALTER DOMAIN required_text ADD CONSTRAINT no_slips CHECK (VALUE <> 'Slip')`)
    const before = await exportText(connection)
    const types = Array.from({ length: 30_000 }, (_, index) => {
      return { ...MINIMAL.eventType, id: `type${index}`, name: index === 7 ? 'Slip' : 'x'.repeat(100) }
    })
    await expect(importRecords(connection, types)).rejects.toThrow(
      /^the database refused the data, nothing was imported: .*"no_slips"$/,
    )
    await pool.query('ALTER DOMAIN required_text DROP CONSTRAINT no_slips')
    expect(await exportText(connection)).toBe(before)
  })
})

describe('a record that exists', () => {
  const OLD = '2020-01-01T00:00:00.000Z'
  const NEW = '2024-01-01T00:00:00.000Z'

  it('is replaced: fields that are absent now are gone, or at their defaults', async () => {
    await importValid(connection, [
      MINIMAL.company,
      { ...MINIMAL.quote, discountId: 'd', guestCount: 7, baseFeeTaxable: false, serviceChargeIds: ['a'] },
    ])
    await importValid(connection, [{ ...MINIMAL.quote, eventAddress: 'Pier 5' }])
    const [quote] = await exportRecords(connection, { object: 'quote', id: 'q' })
    expect(quote).toEqual({
      ...MINIMAL.quote,
      eventAddress: 'Pier 5',
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    })
  })

  it('of the same id in another company or kind is another record', async () => {
    const { company, lead } = MINIMAL
    await importValid(connection, [company, { ...company, id: 'c2' }, { ...lead, email: 'c' }])
    await importValid(connection, [
      { ...lead, companyId: 'c2', email: 'c2' },
      { ...MINIMAL.eventType, id: 'lead' },
    ])
    const leads = await exportRecords(connection, { object: 'lead', id: 'lead' })
    expect(leads.filter((one) => one['email'] === one['companyId'])).toHaveLength(2)
  })

  it('imported twice is as imported once', async () => {
    await importValid(connection, MINIMAL_WORLD)
    const once = await exportText(connection)
    await importValid(connection, MINIMAL_WORLD)
    expect(await exportText(connection)).toBe(once)
  })

  it('keeps its times where the file has none, and takes those it has', async () => {
    const { lead } = MINIMAL
    await importValid(connection, [{ ...lead, id: 'times', createdAt: OLD, updatedAt: OLD }])
    await importValid(connection, [{ ...lead, id: 'times', email: 'new', updatedAt: NEW }])
    expect(await exportRecords(connection, { id: 'times' })).toMatchObject([
      { email: 'new', createdAt: OLD, updatedAt: NEW },
    ])
    await importValid(connection, [{ ...lead, id: 'times', createdAt: null }])
    expect(await exportRecords(connection, { id: 'times' })).toMatchObject([
      { createdAt: OLD, updatedAt: NEW },
    ])
  })

  it('has the answers of the new one, which keep their times by their id', async () => {
    const { formResponse } = MINIMAL
    const times = { createdAt: OLD, updatedAt: OLD }
    const first = [answer('1', 'one', times), answer('2', 'two', times), answer('3', 'three', times)]
    await importValid(connection, [{ ...formResponse, answers: first }])
    const second = [
      answer('4', 'four', { createdAt: NEW, updatedAt: NEW }),
      answer('3', 'drei'),
      answer('1', 'one', { updatedAt: NEW }),
    ]
    await importValid(connection, [{ ...formResponse, answers: second }])
    const [replaced] = await exportRecords(connection, { object: 'formResponse', id: 'resp' })
    expect(replaced?.['answers']).toEqual([
      answer('4', 'four', { createdAt: NEW, updatedAt: NEW }),
      answer('3', 'drei', times),
      answer('1', 'one', { createdAt: OLD, updatedAt: NEW }),
    ])
    await importValid(connection, [formResponse])
    expect((await exportRecords(connection, { id: 'resp' }))[0]).not.toHaveProperty('answers')
    expect((await pool.query('SELECT FROM form_answers')).rowCount).toBe(0)
  })
})

describe('what is stored', () => {
  it('has the defaults of the format, and one moment for every time that is not given', async () => {
    await clearWorld(pool)
    const before = Date.now()
    const answers = [{ id: 'a', questionId: 'ask', response: 'Yes' }]
    await importValid(connection, [...MINIMAL_WORLD, { ...MINIMAL.formResponse, id: 'answered', answers }])
    const moments = new Set<unknown>()
    for (const record of await exportRecords(connection)) {
      moments.add(record['createdAt']).add(record['updatedAt'])
      for (const one of (record['answers'] ?? []) as TestRecord[]) {
        moments.add(one['createdAt']).add(one['updatedAt'])
      }
    }
    expect(moments.size).toBe(1)
    const moment = Date.parse(String([...moments][0]))
    expect(moment).toBeGreaterThanOrEqual(before - 1)
    expect(moment).toBeLessThanOrEqual(Date.now() + 1)
    const { rows } = await pool.query(`
      SELECT q.guest_count, q.base_fee_cents, q.travel_fee_taxable, q.service_charge_ids, l.quantity, l.taxable,
        e.tip_jar_allowed, e.guest_count AS event_guests, e.staff_ids, r.status, s.status AS staff_status, i.lines,
        t.invoice_due_days, b.card_on_file
      FROM quotes q, line_items l, events e, resources r, staff s, invoices i, payment_terms t, bookings b`)
    expect(rows).toEqual([
      {
        guest_count: 0,
        base_fee_cents: '0',
        travel_fee_taxable: true,
        service_charge_ids: [],
        quantity: '1.0000',
        taxable: true,
        tip_jar_allowed: false,
        event_guests: null,
        staff_ids: [],
        status: 'Active',
        staff_status: 'active',
        lines: [],
        invoice_due_days: 0,
        card_on_file: false,
      },
    ])
  })

  it.each([
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:15.9999999Z', '2026-03-01T09:30:15.999Z'],
    ['2026-03-01T00:30:00+02:00', '2026-02-28T22:30:00.000Z'],
    ['2024-02-29T23:59:59.1Z', '2024-02-29T23:59:59.100Z'],
    ['2026-01-31T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
  ])('of the time %s is %s', async (given, stored) => {
    const { event, company, task } = MINIMAL
    await importValid(connection, [company, event, { ...task, dueDate: given, createdAt: given }])
    expect(await exportRecords(connection, { object: 'task', id: 'task' })).toMatchObject([
      { dueDate: stored, createdAt: stored },
    ])
  })

  it('of a key is its hash', async () => {
    await importValid(connection, [MINIMAL.company, MINIMAL.apiKey])
    const text = await exportText(connection)
    expect(text).toContain(`"keyHash":"${hashApiKey(MINIMAL.apiKey.key)}"`)
    expect(text).not.toContain(MINIMAL.apiKey.key)
  })

  it('of invoice lines has every quantity as a number', async () => {
    const lines = [
      { description: 'A', quantity: '2.50', amountCents: 1e11 },
      { description: 'B', amountCents: 0 },
    ]
    await importValid(connection, [MINIMAL.booking, { ...MINIMAL.invoice, lines }])
    const { rows } = await pool.query(`SELECT lines FROM invoices WHERE id = 'inv'`)
    expect(rows).toEqual([
      {
        lines: [
          { description: 'A', quantity: 2.5, amountCents: 1e11 },
          { description: 'B', quantity: 1, amountCents: 0 },
        ],
      },
    ])
  })
})

describe('the hash of a key', () => {
  const { company, apiKey } = MINIMAL
  const key = (id: string, plain: string, companyId = 'c') => ({ ...apiKey, id, companyId, key: plain })

  it('is of one record only, in the file and over all companies, given as key or as hash', async () => {
    const { errors } = await importRecords(connection, [
      { ...company, id: 'c2' },
      key('1', 'the-same-key'),
      key('2', 'the-same-key', 'c2'),
      { ...apiKey, id: '3', key: null, keyHash: hashApiKey('the-same-key') },
    ])
    expect(errors).toEqual([
      { line: 3, field: 'key', reason: 'is the same as on line 2' },
      { line: 4, field: 'key', reason: 'is the same as on line 2' },
    ])
  })

  it('is of one record only, in the database', async () => {
    await importValid(connection, [company, { ...company, id: 'c2' }, key('1', 'stored-key-1')])
    const { errors } = await importRecords(connection, [key('1', 'stored-key-1', 'c2')])
    expect(errors).toEqual([{ line: 1, field: 'key', reason: 'belongs to another record in the database' }])
    await importValid(connection, [key('1', 'stored-key-1')])
  })

  it('may go from one record to another, and two records may change theirs', async () => {
    await importValid(connection, [company, key('1', 'stored-key-1'), key('2', 'stored-key-2')])
    await importValid(connection, [key('1', 'stored-key-2'), key('2', 'stored-key-1')])
    await importValid(connection, [key('3', 'stored-key-2'), key('1', 'stored-key-3')])
    const keys = await exportRecords(connection, { object: 'apiKey', companyId: 'c' })
    const hashes = Object.fromEntries(keys.map((one) => [one['id'], one['keyHash']]))
    expect(hashes).toMatchObject({
      1: hashApiKey('stored-key-3'),
      2: hashApiKey('stored-key-1'),
      3: hashApiKey('stored-key-2'),
    })
  })
})

describe('the beginning of a key', () => {
  const { company, apiKey } = MINIMAL
  const prefixes = async () =>
    (
      await pool.query<{ prefix: string | null }>(
        `SELECT prefix FROM api_keys WHERE company_id = 'c' ORDER BY id`,
      )
    ).rows

  it('stays while the key does, and is forgotten with it', async () => {
    await clearWorld(pool)
    const keys = ['1', '2'].map((id) => ({ ...apiKey, id, key: `stored-key-${id}` }))
    await importValid(connection, [company, ...keys])
    await pool.query(`UPDATE api_keys SET prefix = 'eqs_abcd'`)
    await importValid(connection, [keys[0] ?? {}, { ...keys[1], key: 'another-key' }])
    expect(await prefixes()).toEqual([{ prefix: 'eqs_abcd' }, { prefix: null }])
  })
})

describe('the line items of a quote', () => {
  const { company, quote, lineItem } = MINIMAL
  const items = (count: number, quoteId: string, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ ...lineItem, id: `item${from + index}`, quoteId }))

  it('are at most 1,000 in the file: the first line too many is named, once', async () => {
    await clearWorld(pool)
    const tooMany = [company, { ...quote, id: 'full' }, ...items(1_003, 'full')]
    expect(await importRecords(connection, tooMany)).toEqual({
      records: 0,
      errorCount: 1,
      errors: [
        {
          line: 1_003,
          field: 'quoteId',
          reason: 'quote "full" would have more than 1000 records of kind lineItem',
        },
      ],
    })
    await importValid(connection, tooMany.slice(0, -3))
  })

  it('count with those that are stored and stay, each once', async () => {
    // All of the stored ones again, which replaces them.
    await importValid(connection, items(1_000, 'full'))
    const { errors } = await importRecords(connection, [...items(2, 'full'), ...items(2, 'full', 5_000)])
    expect(errors).toMatchObject([{ line: 3, field: 'quoteId' }])
    // Two of them move to another quote, which makes room for two.
    await importValid(connection, [
      { ...quote, id: 'empty' },
      ...items(2, 'empty'),
      ...items(2, 'full', 5_000),
    ])
  })
})

describe('imports beside other work', () => {
  it('wait for each other', async () => {
    await clearWorld(pool)
    const worlds = [MINIMAL_WORLD, MINIMAL_WORLD.toReversed(), MINIMAL_WORLD, MINIMAL_WORLD.toReversed()]
    const results = await Promise.all(worlds.map((world) => importRecords(connection, world)))
    expect(results.map((result) => result.errorCount)).toEqual([0, 0, 0, 0])
    expect(await exportRecords(connection)).toHaveLength(MINIMAL_WORLD.length)
  })

  it('keep nobody from reading and from creating tasks, and take no table lock above ROW EXCLUSIVE', async () => {
    await importValid(connection, MINIMAL_WORLD)
    const holder = await pool.connect()
    const other = await pool.connect()
    try {
      // Tasks come last: an import that waits for this one has every other lock it ever takes.
      await holder.query(`BEGIN; SELECT FROM tasks WHERE id = 'task' FOR UPDATE`)
      const changed = MINIMAL_WORLD.map((record) => ({ ...record, updatedAt: '2026-01-01T00:00:00.000Z' }))
      const importing = importRecords(connection, changed)
      const locks = await waitForLocks(other)
      expect(locks.filter(({ table }) => table === 'quotes').length).toBeGreaterThan(0)
      const modes = new Set(locks.map(({ mode }) => mode))
      expect([...modes].toSorted()).toEqual(['AccessShareLock', 'RowExclusiveLock', 'RowShareLock'])
      await other.query(`SET lock_timeout = '1s'`)
      expect((await other.query('SELECT FROM quotes')).rowCount).toBe(1)
      await other.query(
        `INSERT INTO tasks (company_id, id, event_id, description) VALUES ('c', 'made', 'evt', 'Meanwhile')`,
      )
      await holder.query('ROLLBACK')
      expect(await importing).toMatchObject({ errorCount: 0 })
      expect(await exportRecords(connection, { object: 'task' })).toHaveLength(2)
    } finally {
      holder.release(true)
      other.release(true)
    }
  })
})

/** The locks on our tables of the session that waits for a row. */
async function waitForLocks(client: PoolClient): Promise<{ table: string; mode: string }[]> {
  for (;;) {
    const { rows } = await client.query<{ table: string; mode: string }>(`
      SELECT l.relation::regclass::text AS table, l.mode FROM pg_locks l
      JOIN pg_class c ON c.oid = l.relation AND c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      WHERE l.granted AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND l.pid IN (SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'transactionid')`)
    if (rows.length > 0) return rows
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
