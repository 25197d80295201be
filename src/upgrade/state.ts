/** Everything that an upgrade must not change, as lines: row counts, records and totals. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { LIMIT_MAX } from '../core/requests/page.ts'
import { priceTotal } from '../core/pricing/price-total.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { countRows } from '../db/rehearsal.ts'
import type { Db } from '../db/statement.ts'
import { beginSnapshot, rollback } from '../db/world-transaction.ts'
import { listCompanyIds } from '../records/company/queries.ts'
import type { QuoteFilters } from '../records/quote/filter.ts'
import { listQuotes } from '../records/quote/queries.ts'
import { pricingInput } from '../records/quote/row.ts'
import { readWorld } from '../world/export.ts'
import type { KnownColumns } from '../world/export.ts'

/** The number of lines of each sort. */
export interface StateSummary {
  tables: number
  records: number
  totals: number
  /** The hash of the export, without fields in columns that are not known. */
  exportSha256: string
}

export interface StateComparison extends StateSummary {
  /** The first differences, one line each. */
  differences: string[]
}

export const NO_FILTERS: QuoteFilters = { ids: {}, createdAt: null, updatedAt: null, serviceStartTime: null }
const DIFFERENCES_MAX = 10
const CHUNK_CHARACTERS = 64 * 1024

/** A label and a value. Values are hashes, counts and totals, so a file of them contains no customer data but ids. */
type OnLine = (label: string, value: string) => Promise<void>

/** One snapshot, without the columns that are not known. */
async function readState(connection: Connection, known: KnownColumns, onLine: OnLine): Promise<StateSummary> {
  return withDb(connection, async (client) => {
    await beginSnapshot(client)
    try {
      const counts = await countRows(client, known.keys())
      for (const { table, rows } of counts) await onLine(`rows of ${table}`, String(rows))
      const exported = await readRecords(client, known, onLine)
      let totals = 0
      for (const companyId of await listCompanyIds(client))
        totals += await readTotals(client, companyId, onLine)
      return { tables: counts.length, totals, ...exported }
    } finally {
      await rollback(client)
    }
  })
}

async function readRecords(
  client: Db,
  known: KnownColumns,
  onLine: OnLine,
): Promise<Pick<StateSummary, 'records' | 'exportSha256'>> {
  const whole = createHash('sha256')
  let records = 0
  for await (const lines of readWorld(client, { known })) {
    for (const line of lines) {
      const { object, id, companyId } = JSON.parse(line) as Record<string, string>
      const company = companyId === undefined ? '' : ` of company ${JSON.stringify(companyId)}`
      await onLine(
        `${object} ${JSON.stringify(id)}${company}`,
        createHash('sha256').update(line).digest('hex'),
      )
      whole.update(line)
      records++
    }
  }
  return { records, exportSha256: whole.digest('hex') }
}

async function readTotals(client: Db, companyId: string, onLine: OnLine): Promise<number> {
  let count = 0
  let startingAfter: string | undefined
  for (;;) {
    const { rows, hasMore } = await listQuotes(client, companyId, NO_FILTERS, {
      limit: LIMIT_MAX,
      startingAfter,
    })
    for (const row of rows) {
      const label = `total of quote ${JSON.stringify(row.get('id'))} of company ${JSON.stringify(companyId)}`
      await onLine(label, String(priceTotal(pricingInput(row))))
    }
    count += rows.length
    startingAfter = rows.at(-1)?.get('id')
    if (!hasMore) return count
  }
}

/** Writes it to a file, for `compareState`. */
export async function saveState(
  connection: Connection,
  known: KnownColumns,
  file: string,
): Promise<StateSummary> {
  const handle = await open(file, 'wx', 0o600)
  try {
    let chunk = ''
    const summary = await readState(connection, known, async (label, value) => {
      chunk += `${JSON.stringify([label, value])}\n`
      if (chunk.length < CHUNK_CHARACTERS) return
      await handle.writeFile(chunk)
      chunk = ''
    })
    await handle.writeFile(chunk)
    return summary
  } finally {
    await handle.close()
  }
}

/** Compares it with the file, in the same order. */
export async function compareState(
  connection: Connection,
  known: KnownColumns,
  file: string,
): Promise<StateComparison> {
  const lines = createInterface({ input: createReadStream(file) })
  const saved = lines[Symbol.asyncIterator]()
  const nextSaved = async () => {
    const next = await saved.next()
    return next.done === true ? undefined : (JSON.parse(next.value) as [string, string])
  }
  const differences: string[] = []
  // After a missing or additional line, the rest would not be in step.
  let isInStep = true
  const note = (difference: string) => {
    if (differences.length < DIFFERENCES_MAX) differences.push(difference)
  }
  const summary = await readState(connection, known, async (label, value) => {
    if (!isInStep) return
    const before = await nextSaved()
    isInStep = before?.[0] === label
    if (before === undefined) note(`${label} is new`)
    else if (!isInStep) note(`${before[0]} is missing, or ${label} is new`)
    else if (before[1] !== value) note(describeChange(label, before[1], value))
  })
  if (isInStep) {
    const [missing] = (await nextSaved()) ?? []
    if (missing !== undefined) note(`${missing} is missing`)
  }
  lines.close()
  return { ...summary, differences }
}

function describeChange(label: string, before: string, after: string): string {
  return /^(rows|total) of /.test(label) ? `${label}: ${before} before, ${after} after` : `${label} differs`
}
