/** Companies. */
import { NEXT_NUMBER_MAX } from '../../core/document-numbers.ts'
import { ApiError } from '../../core/requests/errors.ts'
import { isDistributed } from '../../db/distributed.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import type { RowOf } from '../../codec/column.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import type { QUOTE_COLUMNS } from '../quote/columns.ts'
import { COMPANY_COLUMNS } from './columns.ts'

/** Numbers are compared without regard to case. The index quotes_by_number has the same expression. */
export const foldedNumber = (number: Sql) => sql`lower(${number} COLLATE "und-x-icu") COLLATE "C"`

const ANY_COMPANY = statement(sql`SELECT 1 FROM companies LIMIT 1`)

export async function hasCompanies(db: Db): Promise<boolean> {
  return (await queryRows(db, ANY_COMPANY, [])).length > 0
}

type CompanyRow = RowOf<typeof COMPANY_COLUMNS.columns>

function finderOf<Name extends keyof CompanyRow>(name: Name) {
  const fields = defineFields(pick(COMPANY_COLUMNS, name))
  const find = statement(sql`SELECT ${fields.selectList} FROM companies t WHERE t.id = $1`)
  return async (db: Db, companyId: string): Promise<CompanyRow[Name]> => {
    const [company] = await queryObjects(db, fields, find, [companyId])
    if (company === undefined) throw new Error('the company is missing')
    return (company as unknown as Pick<CompanyRow, Name>)[name]
  }
}

/** The currency of new quotes. */
export const findCurrency = finderOf('currency')

/** Before the numbers of new quotes: `Q-`. */
export const findQuotePrefix = finderOf('quotePrefix')

/** How many days a quote is valid after it was sent. */
export const findValidDays = finderOf('quoteValidDays')

/** The next number that no record of the company has: an import can have brought any. */
const takeNumber = (next: Sql, prefix: Sql, table: Sql, number: Sql) =>
  statement(sql`
  WITH RECURSIVE tried AS (
    SELECT ${next}::integer AS number, ${prefix} || ${next} AS text FROM companies WHERE id = $1
    UNION ALL
    SELECT t.number + 1, c.${prefix} || (t.number + 1)
    FROM tried t JOIN companies c ON c.id = $1
    WHERE t.number < ${literal(NEXT_NUMBER_MAX)} AND EXISTS (
      SELECT 1 FROM ${table} r
      WHERE r.company_id = $1 AND r.${number} IS NOT NULL
        AND ${foldedNumber(sql`r.${number}`)} = ${foldedNumber(sql`t.text`)})
  )
  UPDATE companies c SET ${next} = free.number + 1
  FROM (SELECT number, text FROM tried ORDER BY number DESC LIMIT 1) free
  WHERE c.id = $1 AND free.number < ${literal(NEXT_NUMBER_MAX)}
  RETURNING free.text`)

/** The same in two steps: Citus does not read a distributed table in a statement that writes one on the coordinator. */
const takeNext = (next: Sql, prefix: Sql) =>
  statement(sql`
  UPDATE companies c SET ${next} = ${next} + 1 WHERE c.id = $1 AND ${next} < ${literal(NEXT_NUMBER_MAX)}
  RETURNING ${prefix} || (${next} - 1) AS text`)
const findNumber = (table: Sql, number: Sql) =>
  statement(sql`
  SELECT 1 FROM ${table} r
  WHERE r.company_id = $1 AND r.${number} IS NOT NULL
    AND ${foldedNumber(sql`r.${number}`)} = ${foldedNumber(sql`$2::text`)} LIMIT 1`)

const TAKE = {
  quote: takeNumber(sql`next_quote_number`, sql`quote_prefix`, sql`quotes`, sql`number`),
  invoice: takeNumber(sql`next_invoice_number`, sql`invoice_prefix`, sql`invoices`, sql`invoice_number`),
}
const TAKE_NEXT = {
  quote: takeNext(sql`next_quote_number`, sql`quote_prefix`),
  invoice: takeNext(sql`next_invoice_number`, sql`invoice_prefix`),
}
const FIND_NUMBER = {
  quote: findNumber(sql`quotes`, sql`number`),
  invoice: findNumber(sql`invoices`, sql`invoice_number`),
}

const NO_NUMBER = 'number left. Enter a new prefix and a lower next number in the company profile first.'

/** The number of a new quote or invoice, such as Q-1042. The caller holds the lock of the company. */
export async function takeDocumentNumber(
  db: Db,
  companyId: string,
  document: keyof typeof TAKE,
): Promise<string> {
  const take = isDistributed(db) ? TAKE_NEXT : TAKE
  for (;;) {
    const [taken] = await queryRows<{ text: string }>(db, take[document], [companyId])
    if (taken === undefined)
      throw new ApiError('conflict', { message: `There is no ${document} ${NO_NUMBER}` })
    if (take === TAKE) return taken.text
    const used = await queryRows(db, FIND_NUMBER[document], [companyId, taken.text])
    if (used.length === 0) return taken.text
  }
}

const usable = (table: Sql, id: Sql) =>
  sql`(SELECT t.id FROM ${table} t WHERE t.company_id = $1 AND t.id = ${id} AND t.archived_at IS NULL)`

/** OFFSET: Citus reads the company first, on the coordinator, and the records on the worker. */
const FIND_DEFAULTS = statement(sql`
  SELECT ${usable(sql`tax_rates`, sql`c.default_tax_rate_id`)} AS "taxRateId",
    ${usable(sql`payment_terms`, sql`c.default_payment_terms_id`)} AS "paymentTermsId",
    ${usable(sql`contracts`, sql`c.default_contract_id`)} AS "contractId",
    ARRAY(
      SELECT t.id::text FROM unnest(c.default_service_charge_ids) WITH ORDINALITY AS d (id, position)
        JOIN service_charges t ON t.company_id = $1 AND t.id = d.id
      WHERE t.archived_at IS NULL AND (t.currency IS NULL OR t.currency = $2)
      ORDER BY d.position) AS "serviceChargeIds"
  FROM (
    SELECT default_tax_rate_id, default_payment_terms_id, default_contract_id, default_service_charge_ids
    FROM companies WHERE id = $1 OFFSET 0) c`)

type QuoteDefaults = Pick<
  RowOf<typeof QUOTE_COLUMNS.columns>,
  'taxRateId' | 'paymentTermsId' | 'contractId' | 'serviceChargeIds'
>

/** The terms of new quotes in this currency, without those that are archived or no longer exist. */
export async function findQuoteDefaults(db: Db, companyId: string, currency: string): Promise<QuoteDefaults> {
  const [defaults] = await queryRows<QuoteDefaults>(db, FIND_DEFAULTS, [companyId, currency])
  if (defaults === undefined) throw new Error('the company is missing')
  return defaults
}

const LIST_COMPANY_IDS = statement(sql`SELECT id FROM companies ORDER BY id`)

export async function listCompanyIds(db: Db): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, LIST_COMPANY_IDS, [])).map(({ id }) => id)
}
