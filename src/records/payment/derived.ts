/**
 * The column payments_cents of invoices: the sum of their payments that are not reversed. Recording a payment maintains it
 * (actions/record-payment.ts). Here it is derived for imports, compared with the payments, and corrected.
 */
import { sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, run, unpreparedStatement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { fillWorkTable, lockRows } from '../../db/work-table.ts'
import { stagedName } from '../../db/world-table.ts'

/** Of an invoice `i`. */
const SUM = sql`(
  SELECT coalesce(sum(p.amount_cents), 0)::bigint FROM payments p
  WHERE p.company_id = i.company_id AND p.invoice_id = i.id AND p.reversed_at IS NULL)`

/** Sets the sums of the invoices `i` that a query finds. */
const setSums = (invoices: Sql) => sql`
  UPDATE invoices t SET payments_cents = s.sum
  FROM (SELECT i.company_id, i.id, ${SUM} AS sum FROM ${invoices}) s
  WHERE t.company_id = s.company_id AND t.id = s.id AND t.payments_cents <> s.sum`

/** In a separate statement: the sums then include every payment that was recorded before the lock. */
const lockInvoices = (invoices: Sql) => sql`
  WITH locked AS (SELECT 1 FROM ${invoices} ORDER BY i.company_id, i.id FOR NO KEY UPDATE OF i)
  SELECT count(*) FROM locked`

const STAGED = stagedName({ name: 'payments' })
const PAID = sql`paid_invoices c JOIN invoices i ON i.company_id = c.company_id AND i.id = c.invoice_id`

/**
 * Call it before the staged payments are merged, and the function it returns afterwards. A payment that an import moves to another
 * invoice changes both.
 */
export async function beginPayments(client: Db, areStaged: boolean): Promise<() => Promise<void>> {
  if (!areStaged) return async () => undefined
  await fillWorkTable(
    client,
    'paid_invoices',
    'invoices',
    sql`
    SELECT company_id, invoice_id FROM ${STAGED}
    UNION SELECT p.company_id, p.invoice_id FROM ${STAGED} s
      JOIN payments p ON p.company_id = s.company_id AND p.id = s.id`,
  )
  return async () => {
    await lockRows(client, lockInvoices(PAID))
    await run(client, setSums(PAID))
  }
}

const OF_COMPANY = sql`(SELECT * FROM invoices WHERE company_id = $1) i`
const WRONG = unpreparedStatement(
  sql`SELECT i.id FROM ${OF_COMPANY} WHERE i.payments_cents <> ${SUM} ORDER BY 1`,
)

/** The invoices of a company whose sum of payments is wrong. */
export async function findPaymentErrors(db: Db, companyId: string): Promise<string[]> {
  return (await queryRows<{ id: string }>(db, WRONG, [companyId])).map(({ id }) => id)
}

const CORRECTED = sql`invoices i WHERE i.company_id = $1 AND i.id = ANY($2)`
const LOCK = unpreparedStatement(lockInvoices(CORRECTED))
const CORRECT = unpreparedStatement(setSums(CORRECTED))

/** The caller holds the import lock. */
export async function repairPayments(
  db: Db,
  companyId: string,
  invoiceIds: readonly string[],
): Promise<void> {
  for (const change of [LOCK, CORRECT]) await queryRows(db, change, [companyId, invoiceIds])
}
