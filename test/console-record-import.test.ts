/** CSV files of contacts, services and add-ons: reading, dry run, and importing all or nothing. */
import { describe, expect, it } from 'vitest'
import type { ImportAnswer } from '../src/console/record-import.ts'
import { signedIn } from './support/console.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { startServer } from './support/server.ts'

const database = await createDatabase()
const { pool } = database
const server = await startServer(database.connection)

let companies = 0
/** Creates a separate company for each test. */
async function company() {
  const id = `co_${++companies}`
  await insertCompany(pool, id)
  const { call } = await signedIn(server, database, id, 'MEMBER')
  const send = (path: string, file: string | Buffer, rest: object = {}) =>
    call('POST', `${path}/import`, { file: Buffer.from(file).toString('base64'), dryRun: true, ...rest })
  const read = async (path: string, file: string | Buffer, rest: object = {}) => {
    const answer = await send(path, file, rest)
    expect(answer.status, answer.text).toBe(200)
    return answer.body as ImportAnswer
  }
  const rows = async (table: string, columns: string) =>
    (await pool.query(`SELECT ${columns} FROM ${table} WHERE company_id = $1 ORDER BY id`, [id])).rows
  return { id, call, send, read, rows }
}

describe('a CSV file of contacts', () => {
  const FILE = 'First name,Last name,E-mail,Company\r\nAda,Noor,ada@example.com,\r\n,,,"Lindqvist, AB"\r\n'

  it('N10: is previewed by a dry run and imported as one change', async () => {
    const { id, read, rows } = await company()
    const planned = await read('contacts', FILE)
    expect(planned).toMatchObject({
      headers: ['First name', 'Last name', 'E-mail', 'Company'],
      mapping: { firstName: 0, lastName: 1, email: 2, companyName: 3 },
      rowCount: 2,
      errors: [],
      importedCount: 0,
    })
    expect(await rows('leads', 'id')).toEqual([])
    expect(await read('contacts', FILE, { dryRun: false })).toMatchObject({ importedCount: 2 })
    expect(await rows('leads', 'first_name, last_name, email, company_name')).toEqual([
      { first_name: 'Ada', last_name: 'Noor', email: 'ada@example.com', company_name: null },
      { first_name: null, last_name: null, email: null, company_name: 'Lindqvist, AB' },
    ])
    const { rows: changes } = await pool.query('SELECT type, data FROM changes WHERE company_id = $1', [id])
    expect(changes).toEqual([{ type: 'data.imported', data: { object: null, counts: { lead: 2 } } }])
    // The search index includes imported contacts.
    expect(await read('contacts', FILE)).toMatchObject({ sameEmailCount: 1 })
    await pool.query('UPDATE leads SET archived_at = now() WHERE company_id = $1', [id])
    expect(await read('contacts', FILE)).toMatchObject({ sameEmailCount: 0 })
  })

  it('N10: accepts another mapping and splits full names', async () => {
    const { read } = await company()
    const { sample } = await read('contacts', 'a;b;c\nAda van Dyk;x;y\nCher;;\n', {
      mapping: { name: 0, notes: 2 },
    })
    expect(sample).toMatchObject([
      { firstName: 'Ada van', lastName: 'Dyk', notes: 'y', email: null },
      { firstName: 'Cher', lastName: null, notes: null },
    ])
  })

  it('N10: is not imported with errors, which name each row', async () => {
    const { read, send, rows } = await company()
    const file =
      'Name,Email\nAda,ada@example.com\nBo,no-at-sign\n"Multi\nline",bo@example.com\n , \n,\nEve,e@f g\n'
    const planned = await read('contacts', file)
    expect(planned.errors).toEqual([
      { line: 3, target: 'email', message: 'must be an email address of at most 320 characters' },
      { line: 8, target: 'email', message: 'must be an email address of at most 320 characters' },
    ])
    expect(planned).toMatchObject({ rowCount: 4, invalidRowCount: 2 })
    const rejected = await send('contacts', file, { dryRun: false })
    expect(rejected.status).toBe(400)
    expect(rejected.text).toContain(
      'Nothing was imported: 2 rows have errors. Line 3: must be an email address',
    )
    expect(await rows('leads', 'id')).toEqual([])
  })

  it('N4, N10: is rejected if a row has only notes', async () => {
    const { read } = await company()
    const { errors } = await read('contacts', 'Name,Notes\n,Met at the fair\n')
    const message = 'Enter a name, an email address, a phone number or a company.'
    expect(errors).toEqual([{ line: 2, target: null, message }])
  })

  it.each([
    [',', 'a comma'],
    [';', 'a semicolon'],
    ['\t', 'a tab'],
  ])(
    'N10: is rejected if a row has more cells than the header row, separated by %j',
    async (separator, name) => {
      const { read, send, rows } = await company()
      const file = (...lines: string[][]) => lines.map((cells) => `${cells.join(separator)}\n`).join('')
      const shifted = file(['Company', 'Email'], ['Lindqvist', ' AB', 'l@example.com'], ['Oslo', '', '', ' '])
      const message = `The row has more cells than the header row. Put text that contains ${name} in quotes.`
      expect(await read('contacts', shifted)).toMatchObject({
        errors: [{ line: 2, target: null, message }],
        sample: [{ companyName: 'Oslo', email: null }],
      })
      const rejected = await send('contacts', shifted, { dryRun: false })
      expect(rejected.text).toContain(`1 row has errors. Line 2: ${message}"`)
      expect(await rows('leads', 'id')).toEqual([])
    },
  )

  it.each([
    ['in UTF-8 with a byte order mark', Buffer.from('\u{feff}Name,Email\nJürgen Groß,j@example.com\n')],
    ['in Windows-1252', Buffer.from('Name,Email\nJürgen Groß,j@example.com\n', 'latin1')],
    ['with semicolons', Buffer.from('Name;Email\nJürgen Groß;j@example.com\n')],
    ['with tabs', Buffer.from('Name\tEmail\nJürgen Groß\tj@example.com\n')],
  ])('N10: is read %s', async (_, file) => {
    const { read } = await company()
    expect(await read('contacts', file)).toMatchObject({
      mapping: { name: 0, email: 1 },
      sample: [{ firstName: 'Jürgen', lastName: 'Groß', email: 'j@example.com' }],
    })
  })

  it.each([
    ['no rows', 'Name,Email\n', 'at least one more row'],
    ['no content', '', 'at least one more row'],
    ['an unclosed quote', 'Name,Email\n"Ada,x\n', 'cannot be read'],
    ['a NUL character', 'Name\nA\0\n', 'not a CSV file'],
    ['too many rows', `Name\n${'Ada\n'.repeat(10_001)}`, 'too many rows'],
    ['more than 5 MiB', `Name\n${'x'.repeat(5 * 1024 * 1024)}`, 'at most 5 MiB'],
  ])('N10: is rejected if it has %s', async (_, file, message) => {
    const { send } = await company()
    const answer = await send('contacts', file)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(message)
  })

  it('N10: can have 10,000 rows', async () => {
    const { id, read } = await company()
    const file = `Name,Email\n${Array.from({ length: 10_000 }, (_, i) => `N${i},n${i}@example.com\n`).join('')}`
    expect(await read('contacts', file, { dryRun: false })).toMatchObject({ importedCount: 10_000 })
    const { rows } = await pool.query('SELECT count(*)::int AS count FROM leads WHERE company_id = $1', [id])
    expect(rows).toEqual([{ count: 10_000 }])
  })
})

describe('a CSV file of services', () => {
  it('N10: sets exact prices by currency, units and taxes', async () => {
    const { read, rows } = await company()
    const file = [
      'Name,Price,Price EUR,price (KWD),Unit,Taxable',
      'Bar,"$1,234.50",10,1.005,per hour,no',
      'Ice,0.07,,,GUEST,yes',
      'Tent,,,,,',
    ].join('\n')
    await read('services', file, { dryRun: false })
    expect(await rows('services', 'name, prices, unit, taxable')).toEqual([
      {
        name: 'Bar',
        prices: [
          { currency: 'USD', unitPriceCents: 123_450 },
          { currency: 'EUR', unitPriceCents: 1_000 },
          { currency: 'KWD', unitPriceCents: 1_005 },
        ],
        unit: 'HOUR',
        taxable: false,
      },
      { name: 'Ice', prices: [{ currency: 'USD', unitPriceCents: 7 }], unit: 'GUEST', taxable: true },
      { name: 'Tent', prices: [], unit: 'EACH', taxable: true },
    ])
  })

  it('N10: has decimal commas if semicolons separate cells', async () => {
    const { read } = await company()
    const { sample } = await read('addons', 'Name;Price\nBar;1.234,50\nIce;2,5\n')
    expect(sample.map(({ prices }) => prices)).toEqual([
      [{ currency: 'USD', unitPriceCents: 123_450 }],
      [{ currency: 'USD', unitPriceCents: 250 }],
    ])
  })

  it('N10: reports every error of a row', async () => {
    const { read } = await company()
    const file = 'Name,Price,Unit,Taxable,Image\n,1.005,week,maybe,http://x\n'
    const { errors } = await read('services', file)
    expect(errors.map(({ line, target, message }) => `${line} ${target} ${message}`)).toEqual([
      '2 price must be an amount in USD with at most 2 decimals, without other letters or signs',
      '2 unit must be each, hour, guest or day',
      '2 taxable must be yes or no',
      '2 name is missing',
      '2 imageUrl must be an https URL of at most 2000 characters',
    ])
  })

  it('N10: reports the first 100 errors, and counts errors and invalid rows', async () => {
    const { read } = await company()
    const file = (rows: number) => `Name,Price,Unit\n${'Bar,x,week\n'.repeat(rows)}`
    const few = await read('services', file(50))
    expect([few.errors.length, few.errorCount, few.invalidRowCount]).toEqual([100, 100, 50])
    const many = await read('services', file(60))
    expect([many.errors.length, many.errorCount, many.invalidRowCount]).toEqual([100, 120, 60])
    expect(many.errors.at(-1)).toMatchObject({ line: 51, target: 'unit' })
  })

  it('N10: has prices with the code or sign of the column currency only', async () => {
    const { read } = await company()
    const prices = ['$50', '50 $', 'USD 50', '50usd', '€50', 'EUR 50', '50k', '5x0', '$50 each', '-50', '$']
    const file = `Name,Price,Price CAD\n${prices.map((price) => `Bar,${price},\n`).join('')}Ice,,CA$7\nIce,,$8\n`
    const { sample, errors } = await read('services', file)
    const dollars = [{ currency: 'USD', unitPriceCents: 5_000 }]
    expect(sample.slice(0, 4).map((row) => row['prices'])).toEqual([dollars, dollars, dollars, dollars])
    expect(errors.map(({ line, target }) => [line, target])).toEqual(
      [6, 7, 8, 9, 10, 11, 12].map((line) => [line, 'price']),
    )
  })

  it('N3, N10: can be exported and imported again', async () => {
    const { id, call, read, rows } = await company()
    const prices = JSON.stringify([
      { currency: 'EUR', unitPriceCents: 1_100 },
      { currency: 'USD', unitPriceCents: 1_250 },
    ])
    await plant(pool, 'services', id, 'a', { name: '=Bar', description: '+1 "x"\nline', prices, unit: 'DAY' })
    const { text } = await call('GET', 'services/export')
    // The price column of the company's currency has no suffix, as in a file without currencies.
    const { mapping } = await read('services', text)
    expect(Object.keys(mapping).filter((name) => name.startsWith('price'))).toEqual(['price:EUR', 'price'])
    await read('services', text, { dryRun: false })
    const stored = await rows('services', 'name, description, prices, unit, taxable')
    expect(stored).toHaveLength(2)
    expect(stored[1]).toEqual(stored[0])
  })
})
