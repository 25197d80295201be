/** The profile of a company: validation, concurrent edits, the logo and the defaults of new quotes. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompanyAnswer } from '../src/console/company.ts'
import { signedIn } from './support/console.ts'
import type { SignedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { TEST_LOGO, logoOf } from './support/logo.ts'
import { insert, insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'
import { MINIMAL, importRecords } from './support/world.ts'

const database = await createDatabase()
const { pool, connection } = database
const server = await startServer(connection)

let companies = 0
async function newCompany(): Promise<{ id: string; admin: SignedIn }> {
  const id = `co_${++companies}`
  await insertCompany(pool, id)
  return { id, admin: await signedIn(server, database, id) }
}

const read = async ({ call }: SignedIn) => (await call('GET', 'company')).body as CompanyAnswer
async function change(editor: SignedIn, changes: object, version?: string) {
  const answer = await editor.call('PUT', 'settings/company', {
    version: version ?? (await read(editor)).version,
    changes,
  })
  const { error } = answer.body as {
    error?: { code: string; message: string; details?: Record<string, { _errors: string[] }> }
  }
  const fields = Object.fromEntries(
    Object.entries(error?.details ?? {}).map(([name, { _errors }]) => [
      name.replace('changes.', ''),
      _errors[0],
    ]),
  )
  return { status: answer.status, code: error?.code, fields, body: answer.body as CompanyAnswer }
}

const FULL = {
  name: 'Quay Street Events',
  legalName: 'Quay Street Lda',
  streetAddress: 'Pier 4',
  city: 'Lisbon',
  state: 'Lisboa',
  zip: '1200-109',
  country: 'PT',
  email: 'hello@quay.example',
  phone: '+351 21 000 0000',
  taxNumber: 'PT123456789',
  website: 'https://quay.example',
  accentColor: '#1f6f5c',
  currency: 'EUR',
  timeZone: 'Europe/Lisbon',
  locale: 'pt-PT',
  quoteValidDays: 14,
  quotePrefix: 'QS-',
  nextQuoteNumber: 1042,
  invoicePrefix: '',
  nextInvoiceNumber: 7,
  footer: 'Thank you.\nSee you soon.',
  howToPay: 'By transfer.',
}

describe('the profile', () => {
  it('U4: administrators change it, members read it, and changes are recorded with old and new values', async () => {
    const { id, admin } = await newCompany()
    const changed = await change(admin, FULL)
    expect(changed.status).toBe(200)
    expect(changed.body.profile).toMatchObject(FULL)
    const member = await signedIn(server, database, id, 'MEMBER')
    expect((await read(member)).profile).toEqual(changed.body.profile)
    expect((await change(member, { name: 'Mine' })).status).toBe(403)
    const { rows } = await pool.query<{ details: { members: object[] } }>(
      `SELECT details FROM audit_entries WHERE company_id = $1 AND type = 'settings.company_changed'`,
      [id],
    )
    expect(rows[0]?.details.members).toContainEqual({
      name: 'name',
      before: `Company ${id}`,
      after: 'Quay Street Events',
    })
    expect(rows[0]?.details.members).toContainEqual({ name: 'quoteValidDays', before: 30, after: 14 })
    const activity = (await admin.call('GET', 'activity?kind=settings')).body as {
      entries: { members: object[] }[]
    }
    expect(activity.entries[0]?.members).toHaveLength(Object.keys(FULL).length)
  })

  it('U4: trims texts, stores empty texts as null and does not record an unchanged profile', async () => {
    const { id, admin } = await newCompany()
    await change(admin, { city: '  Lisbon ', website: 'quay.example', phone: '', accentColor: '#1F6F5C' })
    const { profile, version } = await read(admin)
    expect(profile).toMatchObject({
      city: 'Lisbon',
      website: 'https://quay.example',
      phone: null,
      accentColor: '#1f6f5c',
    })
    expect((await change(admin, { city: 'Lisbon' })).body.version).toBe(version)
    expect((await change(admin, { city: null })).body.profile.city).toBeNull()
    const { rowCount } = await pool.query(
      `SELECT FROM audit_entries WHERE company_id = $1 AND type LIKE 'settings%'`,
      [id],
    )
    expect(rowCount).toBe(2)
  })

  it.each([
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['city', 'a\0b'],
    ['country', 'XX'],
    ['email', 'quay'],
    ['website', 'javascript:alert(1)'],
    ['website', 'ftp://quay.example'],
    ['website', 'https://user@quay.example'],
    // 506 characters with the scheme.
    ['website', `quay.example/${'x'.repeat(485)}`],
    ['accentColor', 'red'],
    ['accentColor', '#ffd700'],
    ['currency', 'ABC'],
    ['timeZone', 'Moon/Base'],
    ['locale', 'xx'],
    ['quoteValidDays', 0],
    ['quoteValidDays', 1.5],
    ['quotePrefix', 'x'.repeat(21)],
    ['nextQuoteNumber', 1_000_000_000],
    ['nextInvoiceNumber', 1_000_000_000],
    ['defaultTaxRateId', 'none'],
    ['defaultServiceChargeIds', ['none']],
    ['logo', 'https://quay.example/logo.png'],
    ['logo', logoOf('GIF89a')],
  ])('U4: rejects %s %j', async (name, value) => {
    const { admin } = await newCompany()
    const { status, fields } = await change(admin, { [name]: value })
    expect(status).toBe(400)
    expect(Object.keys(fields)).toEqual([name])
    expect(fields[name]).toMatch(/^[A-Z].*\.$/)
  })

  it('U4: the next number can only be raised, unless the prefix changes', async () => {
    const { admin } = await newCompany()
    await change(admin, { nextQuoteNumber: 1042 })
    const { status, fields } = await change(admin, { nextQuoteNumber: 7 })
    expect([status, fields['nextQuoteNumber']]).toEqual([400, expect.stringContaining('Enter 1042 or more')])
    expect((await change(admin, { nextQuoteNumber: 7, quotePrefix: 'N-' })).status).toBe(200)
  })

  it('U4: defaults must exist in the company, not be archived and have its currency', async () => {
    const { id, admin } = await newCompany()
    const other = await newCompany()
    const rate = { name: 'Tax', rate: 5 }
    await insert(pool, 'tax_rates', { company_id: id, id: 'tax', ...rate })
    await insert(pool, 'tax_rates', { company_id: id, id: 'old', ...rate, archived_at: new Date() })
    await insert(pool, 'tax_rates', { company_id: other.id, id: 'theirs', ...rate })
    const charge = { company_id: id, name: 'Fee', type: 'AMOUNT', amount_cents: 5, taxable: true }
    await insert(pool, 'service_charges', { ...charge, id: 'usd', currency: 'USD' })
    await insert(pool, 'service_charges', { ...charge, id: 'eur', currency: 'EUR' })
    expect((await read(admin)).choices).toEqual({
      taxRates: [{ id: 'tax', name: 'Tax', currency: null, isArchived: false }],
      paymentTerms: [],
      contracts: [],
      serviceCharges: ['eur', 'usd'].map((currency) => ({
        id: currency,
        name: 'Fee',
        currency: currency.toUpperCase(),
        isArchived: false,
      })),
    })
    for (const [taxRate, reason] of [
      ['old', 'archived'],
      ['theirs', 'does not exist'],
    ] as const)
      expect((await change(admin, { defaultTaxRateId: taxRate })).fields['defaultTaxRateId']).toContain(
        reason,
      )
    const euro = await change(admin, { defaultServiceChargeIds: ['eur'] })
    expect(euro.fields['defaultServiceChargeIds']).toContain('in EUR')
    const saved = await change(admin, { defaultTaxRateId: 'tax', defaultServiceChargeIds: ['usd'] })
    expect(saved.body.profile).toMatchObject({ defaultTaxRateId: 'tax', defaultServiceChargeIds: ['usd'] })
    // An import can create an archived default. It stays and is marked as archived.
    await pool.query(`UPDATE tax_rates SET archived_at = now() WHERE company_id = $1`, [id])
    expect((await change(admin, { city: 'Lisbon' })).status).toBe(200)
    const [archived] = (await read(admin)).choices.taxRates
    expect(archived).toEqual({ id: 'tax', name: 'Tax', currency: null, isArchived: true })
  })

  it.each([
    ['tax-rates', 'tax_rates', 'defaultTaxRateId', { rate: 5 }],
    ['payment-terms', 'payment_terms', 'defaultPaymentTermsId', { payment_schedule: 'FULL' }],
    ['contracts', 'contracts', 'defaultContractId', {}],
    ['service-charges', 'service_charges', 'defaultServiceChargeIds', { type: 'PERCENT', percentage: 5 }],
  ] as const)(
    'N7: %s that are a default of new quotes cannot be archived',
    async (path, table, member, values) => {
      const { id, admin } = await newCompany()
      await insert(pool, table, { company_id: id, id: 'one', name: 'One', ...values })
      const chosen = member === 'defaultServiceChargeIds' ? ['one'] : 'one'
      expect((await change(admin, { [member]: chosen })).status).toBe(200)
      const { record } = (await admin.call('GET', `${path}/one`)).body as { record: { updatedAt: string } }
      const archive = () => admin.call('POST', `${path}/one/archive`, { updatedAt: record.updatedAt })
      const rejected = await archive()
      expect(rejected.status).toBe(409)
      expect(rejected.text).toContain('Choose another default on the Company page first.')
      expect(
        (await change(admin, { [member]: member === 'defaultServiceChargeIds' ? [] : null })).status,
      ).toBe(200)
      expect((await archive()).status).toBe(200)
    },
  )

  it('U4: accepts a website of 500 characters', async () => {
    const { admin } = await newCompany()
    const website = `quay.example/${'x'.repeat(479)}`
    expect((await change(admin, { website })).body.profile.website).toBe(`https://${website}`)
  })

  it('U4: never answers 5xx to any input', async () => {
    const { admin } = await newCompany()
    const names = [
      ...Object.keys(FULL),
      'logo',
      'defaultTaxRateId',
      'defaultContractId',
      'defaultPaymentTermsId',
      'defaultServiceChargeIds',
    ]
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        '',
        '\0',
        '\ud800',
        'x'.repeat(6_000),
        -1,
        1e300,
        [],
        {},
        ['\0'],
        [['a']],
        true,
      ),
      fc.string({ unit: 'binary' }),
      fc.integer(),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), async (changes) => {
        expect((await change(admin, changes)).status).toBeLessThan(500)
      }),
      { numRuns: 100 },
    )
  })
})

describe('concurrent edits of the profile', () => {
  it('U5: rejects an outdated version and accepts the current one', async () => {
    const { admin } = await newCompany()
    const { version } = await read(admin)
    expect((await change(admin, { city: 'Lisbon' }, version)).status).toBe(200)
    const rejected = await change(admin, { phone: '1' }, version)
    expect([rejected.status, rejected.code]).toEqual([409, 'conflict'])
    expect(rejected.fields['version']).toMatch(/Someone else changed/)
    expect((await read(admin)).profile.phone).toBeNull()
    expect((await change(admin, { phone: '1' })).status).toBe(200)
  })

  it('U5: saves one of two concurrent changes', async () => {
    const { admin } = await newCompany()
    const { version } = await read(admin)
    const answers = await Promise.all(['Lisbon', 'Porto'].map((city) => change(admin, { city }, version)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('U5: does not conflict with a new quote, which takes the next number', async () => {
    const { id, admin } = await newCompany()
    const { version } = await read(admin)
    await pool.query('UPDATE companies SET next_quote_number = 9, updated_at = now() WHERE id = $1', [id])
    expect((await change(admin, { city: 'Lisbon' }, version)).status).toBe(200)
  })
})

describe('the logo', () => {
  it('U10: is sanitized and served with a policy that runs no scripts', async () => {
    const { id, admin } = await newCompany()
    const hostile =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><path d="M0 0h8"/></svg>'
    const { body } = await change(admin, { logo: logoOf(hostile, 'image/png') })
    expect(body.logoPath).toBe(`logo/${id}/${body.profile.logoHash}`)
    const file = await server.call(`/${body.logoPath}`)
    expect(file.status).toBe(200)
    expect(file.text).toBe('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8"></path></svg>')
    expect(file.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const { rows } = await pool.query<{ details: object }>(
      `SELECT details FROM audit_entries WHERE company_id = $1`,
      [id],
    )
    expect(rows.map(({ details }) => details)).toContainEqual({
      members: [{ name: 'logo', before: null, after: 'another image' }],
    })
    expect((await change(admin, { logo: null })).body.logoPath).toBeNull()
    expect((await server.call(`/${body.logoPath}`)).status).toBe(404)
  })

  it('U10: is found only by its company and hash', async () => {
    const { admin } = await newCompany()
    const { body } = await change(admin, { logo: TEST_LOGO })
    const other = await newCompany()
    for (const path of [
      body.logoPath?.replace(/logo\/[^/]+/, `logo/${other.id}`),
      body.logoPath?.slice(0, -1),
      `logo/%00/${body.profile.logoHash}`,
      `logo/${'x'.repeat(300)}/${body.profile.logoHash}`,
      'logo/a/b',
    ])
      expect((await server.call(`/${path}`)).status).toBe(404)
  })

  it('U10: has at most 512 KiB', async () => {
    const { admin } = await newCompany()
    const png = (extra: number) => {
      const start = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
      return logoOf(Buffer.concat([start, Buffer.alloc(extra - start.length)]))
    }
    expect((await change(admin, { logo: png(512 * 1024) })).status).toBe(200)
    expect((await change(admin, { logo: png(512 * 1024 + 1) })).fields['logo']).toBe(
      'The file is too large. Use at most 512 KiB.',
    )
    expect((await change(admin, { logo: png(1024 * 1024) })).status).toBe(413)
  })

  it('U10: imports check the logo like uploads, as well as color, country and locale', async () => {
    const company = { ...MINIMAL.company, id: 'imported' }
    const valid = { logo: TEST_LOGO, accentColor: '#1F6F5C', country: 'PT', locale: 'pt-pt' }
    expect(await importRecords(connection, [{ ...company, ...valid }])).toMatchObject({ errors: [] })
    const { rows } = await pool.query(
      `SELECT logo, accent_color, country, locale FROM companies WHERE id = 'imported'`,
    )
    expect(rows).toEqual([{ logo: TEST_LOGO, accent_color: '#1f6f5c', country: 'PT', locale: 'pt-PT' }])
    const invalid = {
      logo: logoOf('<html></html>'),
      accentColor: '#ffd700',
      country: 'XX',
      locale: 'english',
    }
    const { errors } = await importRecords(connection, [{ ...company, ...invalid }])
    expect(errors.map(({ field }) => String(field)).toSorted()).toEqual([
      'accentColor',
      'country',
      'locale',
      'logo',
    ])
  })
})
