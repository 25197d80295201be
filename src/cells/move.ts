/**
 * Moves a company to another cell. The old cell is marked first: it still answers reads, and rejects writes. The commit in the new
 * cell is the switch, because the map prefers a cell that the company is not leaving. A move that was interrupted is repeated: it
 * continues from what the two databases show.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { copyCompany, listCompanyTables, removeCompany } from '../db/company-copy.ts'
import { sql } from '../db/sql.ts'
import { run } from '../db/statement.ts'
import type { Db } from '../db/statement.ts'
import { transact } from '../db/transaction.ts'
import { beginSnapshot, rollback } from '../db/world-transaction.ts'
import {
  beginMove,
  confirmCopy,
  countMailsBeingSent,
  endMove,
  findMove,
  forgetOriginal,
} from '../records/change/moving.ts'
import type { MoveMarks } from '../records/change/moving.ts'
import { hashCompany } from '../world/export.ts'

interface Move {
  companyId: string
  /** By name. */
  cells: ReadonlyMap<string, Connection>
  to: string
  /** How long requests may still reach the old cell after the switch. */
  settleSeconds: number
  report: (message: string) => void
}

/** An arbitrary lock number. */
const MOVE_LOCK = 7_230_521
const MAILS_MAX_MS = 30_000
const POLL_MS = 200

export async function moveCompany(move: Move): Promise<void> {
  const { companyId, cells, to, report } = move
  const target = cells.get(to)
  if (target === undefined) throw new Error(`CELLS has no cell ${to}`)
  const from = await findSource(move)
  const there = await withDb(target, (client) => findMove(client, companyId))
  const isThere = there !== null
  if (from === null) {
    if (!isThere) throw new Error(`no cell has the company ${companyId}`)
    await withDb(target, (client) => giveUp(client, move, there))
    report(`The company ${companyId} is in cell ${to}.`)
    return
  }
  if (there?.movingTo === from.name)
    throw new Error(
      `the company ${companyId} is moving from cell ${to} to cell ${from.name}; finish that first`,
    )
  await withDb(from.connection, async (source) => {
    await refuseSecond(source, companyId)
    const isAnother = there !== null && there.movedFrom !== from.name
    await begin(source, move, { movingTo: from.movingTo, isThere, isAnother })
    if (!isThere) await copyOrGiveUp(source, target, { ...move, from: from.name })
    report(
      `Cell ${to} has the company. Waiting ${move.settleSeconds} seconds until requests have left cell ${from.name}.`,
    )
    await sleep(move.settleSeconds * 1_000)
    await remove(source, target, companyId, from.name)
    report(`Removed the company from cell ${from.name}.`)
  })
}

interface Source {
  name: string
  connection: Connection
  movingTo: string | null
}

/** The other cell that has the company, or null. */
async function findSource({ companyId, cells, to }: Move): Promise<Source | null> {
  const found: Source[] = []
  for (const [name, connection] of cells) {
    if (name === to) continue
    const move = await withDb(connection, (client) => findMove(client, companyId))
    if (move !== null) found.push({ name, connection, movingTo: move.movingTo })
  }
  if (found.length > 1) {
    const names = found.map(({ name }) => name).join(' and ')
    throw new Error(`cells ${names} both have the company ${companyId}; finish its earlier move first`)
  }
  return found[0] ?? null
}

/** Until the connection is closed: if one of two moves gave up, the old cell would take writes that the other does not copy. */
async function refuseSecond(source: Db, companyId: string): Promise<void> {
  const { rows } = await run<{ isLocked: boolean }>(
    source,
    sql`SELECT pg_try_advisory_lock(${MOVE_LOCK}, hashtext(${companyId})) AS "isLocked"`,
  )
  if (rows[0]?.isLocked !== true) throw new Error(`another move of the company ${companyId} is running`)
}

async function begin(
  source: Db,
  { companyId, to, report }: Move,
  { movingTo, isThere, isAnother }: { movingTo: string | null; isThere: boolean; isAnother: boolean },
): Promise<void> {
  if (movingTo !== null && movingTo !== to)
    throw new Error(`the company ${companyId} is moving to cell ${movingTo}; finish that first`)
  if (isAnother || (isThere && movingTo === null))
    throw new Error(`cell ${to} has another company ${companyId}; nothing was changed`)
  if (isThere) return
  await listCompanyTables(source)
  await transact(source, (client) => beginMove(client, companyId, to))
  report(`The company ${companyId} can be read, but not changed, until it is in cell ${to}.`)
  const until = performance.now() + MAILS_MAX_MS
  while ((await countMailsBeingSent(source, companyId)) > 0 && performance.now() < until) await sleep(POLL_MS)
}

interface CopyMove extends Move {
  from: string
}

/** The company was leaving, and no other cell has it: it stays. */
async function giveUp(client: Db, move: Move, { movingTo, movedFrom }: MoveMarks): Promise<void> {
  const { companyId } = move
  if (movingTo !== null) {
    await refuseSecond(client, companyId)
    // Another move may have ended since the cells were asked.
    if ((await findSource(move)) !== null) throw new Error('another move has just ended; repeat the command')
    await unmark(client, companyId)
  } else if (movedFrom !== null) await forgetOriginal(client, companyId)
}

/** After a failure the old cell takes writes again, unless the new one may have the company. */
async function copyOrGiveUp(source: Db, target: Connection, move: CopyMove): Promise<void> {
  const { companyId } = move
  try {
    await withDb(target, (client) => copyVerified(source, client, move))
  } catch (error) {
    const copy = await withDb(target, (client) => findSettled(client, companyId)).catch(() => {
      const rest = 'writes stay rejected; repeat the command'
      throw new Error(`the other cell cannot be reached, and ${rest}: ${(error as Error).message}`, {
        cause: error,
      })
    })
    if (copy !== null) return
    await unmark(source, companyId)
    throw describeConflict(error)
  }
}

/** The cell takes writes again. */
async function unmark(client: Db, companyId: string): Promise<void> {
  await transact(client, (inside) => endMove(inside, companyId, null))
}

/** Until the transaction ends, which a lost connection does not tell: its commit may still wait for a standby. */
async function lockCopy(client: Db, companyId: string): Promise<void> {
  await run(client, sql`SELECT pg_advisory_xact_lock(${MOVE_LOCK}, hashtext(${companyId}))`)
}

/** After a copy whose connection was lost. */
async function findSettled(client: Db, companyId: string): Promise<MoveMarks | null> {
  return transact(client, async (inside) => {
    await run(inside, sql`SET LOCAL lock_timeout = '30s'`)
    await lockCopy(inside, companyId)
    return findMove(inside, companyId)
  })
}

async function copyVerified(source: Db, target: Db, move: CopyMove): Promise<void> {
  const { companyId, from, to, report } = move
  const tables = await listCompanyTables(target)
  await beginSnapshot(source)
  try {
    const hash = await hashCompany(source, companyId)
    const rows = await transact(target, async (client) => {
      await run(client, sql`SET LOCAL statement_timeout = 0`)
      await lockCopy(client, companyId)
      const copied = await copyCompany(source, client, tables, companyId)
      await endMove(client, companyId, from)
      if ((await hashCompany(client, companyId)) !== hash)
        throw new Error(`the export of the copy in cell ${to} differs; nothing was moved`)
      return copied
    })
    report(`Copied ${rows} rows to cell ${to}. The export has the SHA-256 ${hash} in both cells.`)
  } finally {
    await rollback(source)
  }
}

const UNIQUE_VIOLATION = '23505'

function describeConflict(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) return error
  const what = `${error.table ?? ''}: ${error.detail ?? error.message}`
  return new Error(`the other cell has the same key or form already; nothing was moved: ${what}`, {
    cause: error,
  })
}

async function remove(source: Db, target: Connection, companyId: string, from: string): Promise<void> {
  if (!(await withDb(target, (client) => confirmCopy(client, companyId, from))))
    throw new Error('the company is no longer in the other cell; nothing was removed')
  const tables = await listCompanyTables(source)
  await transact(source, (client) => removeCompany(client, tables, companyId))
  await withDb(target, (client) => forgetOriginal(client, companyId))
}
