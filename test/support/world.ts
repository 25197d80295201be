/** Worlds for tests: one record of every kind with only the required fields, and functions for import and export. */
import { REVISION_HASH, REVISION_TEXT } from './revision.ts'
import { Writable } from 'node:stream'
import type { Pool } from 'pg'
import { DUMMY_HASH } from '../../src/core/security/password.ts'
import type { Connection } from '../../src/db/connect.ts'
import { exportWorld } from '../../src/world/export.ts'
import { importWorld } from '../../src/world/import.ts'
import type { ImportResult } from '../../src/world/import.ts'

export type TestRecord = Record<string, unknown>

/** Records of company `c`, with only the required fields */
export const MINIMAL = {
  company: { object: 'company', id: 'c', name: 'Harbor', plan: 'PREMIUM', currency: 'USD' },
  apiKey: { object: 'apiKey', id: 'key', companyId: 'c', name: 'Site', key: 'a-plain-key-of-c' },
  user: {
    object: 'user',
    id: 'user',
    companyId: 'c',
    email: 'ada@example.com',
    name: 'Ada Noor',
    role: 'ADMIN',
    passwordHash: DUMMY_HASH,
  },
  lead: { object: 'lead', id: 'lead', companyId: 'c' },
  location: { object: 'location', id: 'loc', companyId: 'c', name: 'Quay', timeZone: 'Europe/Paris' },
  eventType: { object: 'eventType', id: 'type', companyId: 'c', name: 'Wedding' },
  service: { object: 'service', id: 'srv', companyId: 'c', name: 'Bar' },
  addon: { object: 'addon', id: 'add', companyId: 'c', name: 'Ice' },
  package: { object: 'package', id: 'pkg', companyId: 'c', name: 'Morning' },
  discount: { object: 'discount', id: 'off', companyId: 'c', name: 'Off', type: 'PERCENT', percentOff: 5 },
  taxRate: { object: 'taxRate', id: 'tax', companyId: 'c', name: 'Tax', rate: 8.875 },
  paymentTerms: { object: 'paymentTerms', id: 'terms', companyId: 'c', name: 'Net', paymentSchedule: 'FULL' },
  serviceCharge: {
    object: 'serviceCharge',
    id: 'fee',
    companyId: 'c',
    name: 'Fee',
    type: 'AMOUNT',
    amountCents: 500,
    currency: 'USD',
  },
  contract: { object: 'contract', id: 'con', companyId: 'c', name: 'Terms' },
  quote: {
    object: 'quote',
    id: 'q',
    companyId: 'c',
    leadId: 'lead',
    locationId: 'loc',
    eventAddress: 'Pier 4',
    currency: 'USD',
  },
  quoteRevision: {
    object: 'quoteRevision',
    id: 'rev',
    companyId: 'c',
    quoteId: 'q',
    revision: 1,
    content: REVISION_TEXT,
    sha256: REVISION_HASH,
    sentAt: '2026-05-01T10:00:00.000Z',
  },
  acceptance: {
    object: 'acceptance',
    id: 'acc',
    companyId: 'c',
    quoteRevisionId: 'rev',
    name: 'Ada Noor',
    choices: ['c'],
    acceptedAt: '2026-05-02T10:00:00.000Z',
    address: '192.0.2.7',
    userAgent: 'Browser',
  },
  serviceDay: {
    object: 'serviceDay',
    id: 'day',
    companyId: 'c',
    quoteId: 'q',
    serviceStartTime: '2026-06-01T10:00:00.000Z',
    serviceEndTime: '2026-06-01T18:00:00.000Z',
  },
  lineItem: { object: 'lineItem', id: 'line', companyId: 'c', quoteId: 'q', kind: 'CUSTOM', priceCents: 100 },
  booking: { object: 'booking', id: 'book', companyId: 'c', currency: 'USD', totalPriceCents: 100 },
  event: {
    object: 'event',
    id: 'evt',
    companyId: 'c',
    serviceStartTime: '2026-06-01T10:00:00.000Z',
    serviceEndTime: '2026-06-01T18:00:00.000Z',
  },
  resource: { object: 'resource', id: 'res', companyId: 'c', name: 'Van', locationId: 'loc' },
  staff: {
    object: 'staff',
    id: 'staff',
    companyId: 'c',
    firstName: 'Ada',
    lastName: 'Noor',
    email: 'ada@example.com',
  },
  invoice: {
    object: 'invoice',
    id: 'inv',
    companyId: 'c',
    bookingId: 'book',
    invoiceNumber: '1',
    currency: 'USD',
    totalCents: 100,
  },
  payment: {
    object: 'payment',
    id: 'pay',
    companyId: 'c',
    invoiceId: 'inv',
    amountCents: 10,
    receivedAt: '2026-06-01T10:00:00.000Z',
  },
  form: { object: 'form', id: 'form', companyId: 'c', name: 'Details' },
  formQuestion: {
    object: 'formQuestion',
    id: 'ask',
    companyId: 'c',
    formId: 'form',
    title: 'Where?',
    type: 'TEXT',
    position: 0,
  },
  formResponse: { object: 'formResponse', id: 'resp', companyId: 'c', formId: 'form' },
  task: { object: 'task', id: 'task', companyId: 'c', eventId: 'evt', description: 'Call' },
  webhookEndpoint: {
    object: 'webhookEndpoint',
    id: 'hook',
    companyId: 'c',
    url: 'https://example.com/hook',
    types: ['*'],
    secrets: [{ sealed: 'AAAA' }],
  },
} satisfies Record<string, TestRecord>

export const MINIMAL_WORLD: TestRecord[] = Object.values(MINIMAL)

/** Strings become lines unchanged. */
export function toLines(records: readonly (TestRecord | string)[]): string {
  return records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('')
}

/** The content in chunks of this size. */
export async function* inChunks(content: string | Buffer, bytes: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.from(content)
  for (let start = 0; start < buffer.length; start += bytes) yield buffer.subarray(start, start + bytes)
}

export async function importRecords(
  connection: Connection,
  records: readonly (TestRecord | string)[],
): Promise<ImportResult> {
  return importWorld(connection, inChunks(toLines(records), 65_536))
}

/** Imports a valid world. Throws if it has errors. */
export async function importValid(
  connection: Connection,
  records: readonly (TestRecord | string)[],
): Promise<void> {
  const { errors } = await importRecords(connection, records)
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
}

/** The export of one company, or of all. */
export async function exportText(connection: Connection, companyId?: string): Promise<string> {
  const chunks: string[] = []
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => {
      chunks.push(chunk)
      done()
    },
  })
  await exportWorld(connection, output, companyId)
  return chunks.join('')
}

/** The exported records that match, or all. */
export async function exportRecords(connection: Connection, match: TestRecord = {}): Promise<TestRecord[]> {
  const lines = (await exportText(connection)).split('\n').filter((line) => line !== '')
  const records = lines.map((line) => JSON.parse(line) as TestRecord)
  return records.filter((record) => Object.entries(match).every(([name, value]) => record[name] === value))
}

export async function clearWorld(pool: Pool): Promise<void> {
  await pool.query('TRUNCATE companies, changes CASCADE')
}
